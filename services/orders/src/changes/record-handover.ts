import { requireNotHeld } from '@pto/moves';
import type { ArtifactReference } from '@pto/proto/payloads';
import { sealDifference } from '../domain/handover.ts';
import { WrongCode } from '../domain/handover-code.ts';
import type {
  Command,
  CommandMetadata,
  Handover,
  IsCode,
  OrderState,
  SealDifference,
} from '../domain/order.ts';
import type { OrderKey } from '../reading/get-order.ts';
import { applyWithin, type CommandDeps, checkCommand } from './apply-command.ts';
import {
  type ArtifactDeps,
  artifactReference,
  attachArtifact,
  storeArtifact,
} from './artifacts.ts';
import { type CommandId, type CommandResult, runOnce } from './command-log.ts';
import { requireSigned } from './device-record.ts';
import { applyOrKeep, isKept, type Kept } from './run-command.ts';

/** A file as it was received. */
export interface ReceivedFile {
  readonly content: Uint8Array;
  readonly mediaType: string;
}

/** A command that follows from another one, and what the response says of it. */
interface Following<Outcome> {
  readonly command: Command;
  readonly outcome: Outcome;
}

/**
 * Applies a command whose entry may have a file (decision 71). The file is stored before the
 * transaction that adds the entry.
 * @param make the command, with the reference to its file.
 * @param follow what the same transaction applies after it; null: nothing.
 * @param id the sender's id of the command; null: a repetition is a command of its own.
 * @returns the order, and the outcome of what followed, or what keeps the record of a device that
 *   could not be applied.
 * @throws Failure VALIDATION for a file that is not what it declares; NOT_FOUND; ILLEGAL_TRANSITION;
 *   ORGANIZATION_HELD, which is rejected before a file is inspected. Nothing is stored then.
 */
export const recordWithFile = async <Outcome = never>(
  deps: CommandDeps & ArtifactDeps,
  target: OrderKey,
  make: (artifact: ArtifactReference | null) => Command,
  file: ReceivedFile | null,
  metadata: CommandMetadata,
  id: CommandId | null,
  follow: (order: OrderState) => Following<Outcome> | null = () => null,
): Promise<CommandResult<Outcome | Kept>> =>
  runOnce<Outcome | Kept>(deps, target, id, async (transact) => {
    if (file) await requireNotHeld(deps.db, target.organizationId);
    const checked = file && (await deps.files.inspect(file));
    const artifact = checked && artifactReference(checked, deps.artifactRetentionMs);
    const command = make(artifact);
    await requireSigned(deps.db, target, command, metadata);
    // what follows depends on an order's seals, which do not change once they are there
    const following = await checkCommand(deps.db, target, command, metadata).then(
      follow,
      (thrown: unknown) => {
        // only within the transaction a wrong code is counted
        if (isKept(thrown, metadata) || thrown instanceof WrongCode) return null;
        throw thrown;
      },
    );
    if (artifact && file) await storeArtifact(deps, target, artifact, file.content, true);
    return transact(async (tx) => {
      const { stored, kept } = await applyOrKeep(tx, deps, target, command, metadata);
      if (artifact) await attachArtifact(tx, target, artifact, stored.order.sequence);
      if (kept || !following) return { stored, outcome: kept };
      const same = { ...metadata, payload: null, device: null };
      const { command: next, outcome } = following;
      return { stored: await applyWithin(tx, deps, target, next, same), outcome };
    });
  });

/**
 * Records a handover (decision 71). If the scanned seals differ from the order's, the same transaction
 * adds an incident, and the outcome is the difference.
 * @param received what was recorded, and whether its code is right; absent: there is none.
 */
export const recordHandover = (
  deps: CommandDeps & ArtifactDeps,
  target: OrderKey,
  { isCode, ...received }: Omit<Handover, 'artifact'> & { isCode?: IsCode | undefined },
  file: ReceivedFile | null,
  metadata: CommandMetadata,
  id: CommandId | null,
): Promise<CommandResult<SealDifference | Kept>> => {
  const make = (artifact: ArtifactReference | null): Command => ({
    name: 'handover',
    handover: { ...received, artifact },
    isCode,
  });
  return recordWithFile(deps, target, make, file, metadata, id, ({ sealIds }) => {
    const difference = sealDifference(sealIds, received.scannedSealIds);
    if (!difference) return null;
    const command = { name: 'sealMismatch', stage: received.stage, difference } as const;
    return { command, outcome: difference };
  });
};
