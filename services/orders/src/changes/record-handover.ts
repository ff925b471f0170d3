import { requireNotHeld } from '@pto/moves';
import { sealDifference } from '../domain/handover.ts';
import type { CommandMetadata, Handover, SealDifference } from '../domain/order.ts';
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

/**
 * Records a handover (decision 71). Its file is stored before the transaction that adds the entry.
 * If the scanned seals differ from the order's, the same transaction adds an incident.
 * @param id the sender's id of the command; null: a repetition is a handover of its own.
 * @returns the order, and the difference of the seals if there is one, or what keeps the record of a
 *   device that could not be applied.
 * @throws Failure VALIDATION for a file that is not what it declares; NOT_FOUND; ILLEGAL_TRANSITION;
 *   ORGANIZATION_HELD, which is rejected before a file is inspected. Nothing is stored then.
 */
export const recordHandover = async (
  deps: CommandDeps & ArtifactDeps,
  target: OrderKey,
  received: Omit<Handover, 'artifact'>,
  file: ReceivedFile | null,
  metadata: CommandMetadata,
  id: CommandId | null,
): Promise<CommandResult<SealDifference | Kept>> =>
  runOnce(deps, target, id, async (transact) => {
    if (file) await requireNotHeld(deps.db, target.organizationId);
    const checked = file && (await deps.files.inspect(file));
    const artifact = checked && artifactReference(checked, deps.artifactRetentionMs);
    const command = { name: 'handover', handover: { ...received, artifact } } as const;
    await requireSigned(deps.db, target, command, metadata);
    // an order's seals do not change once they are there
    const difference = await checkCommand(deps.db, target, command, metadata).then(
      ({ sealIds }) => sealDifference(sealIds, received.scannedSealIds),
      (thrown: unknown) => {
        if (isKept(thrown, metadata)) return null;
        throw thrown;
      },
    );
    if (artifact && file) await storeArtifact(deps, target, artifact, file.content, true);
    return transact(async (tx) => {
      const { stored, kept } = await applyOrKeep(tx, deps, target, command, metadata);
      if (artifact) await attachArtifact(tx, target, artifact, stored.order.sequence);
      if (kept || !difference) return { stored, outcome: kept };
      const incident = { name: 'sealMismatch', stage: received.stage, difference } as const;
      const same = { ...metadata, payload: null, device: null };
      return { stored: await applyWithin(tx, deps, target, incident, same), outcome: difference };
    });
  });
