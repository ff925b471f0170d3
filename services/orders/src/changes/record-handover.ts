import { sealDifference } from '../domain/handover.ts';
import type { CommandMetadata, Handover, SealDifference } from '../domain/order.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { applyWithin, type CommandDeps, checkCommand } from './apply-command.ts';
import {
  type ArtifactDeps,
  artifactReference,
  attachArtifact,
  storeArtifact,
} from './artifacts.ts';

/** A file as it was received. */
export interface ReceivedFile {
  readonly content: Uint8Array;
  readonly mediaType: string;
}

/**
 * Records a handover (decision 71). Its file is stored before the transaction that adds the entry.
 * If the scanned seals differ from the order's, the same transaction adds an incident.
 * @throws Failure VALIDATION for a file that is not what it declares; NOT_FOUND; ILLEGAL_TRANSITION.
 *   Nothing is stored then.
 */
export const recordHandover = async (
  deps: CommandDeps & ArtifactDeps,
  orderId: string,
  received: Omit<Handover, 'artifact'>,
  file: ReceivedFile | null,
  metadata: CommandMetadata,
): Promise<{ readonly stored: StoredOrder; readonly difference: SealDifference | null }> => {
  const checked = file && (await deps.files.inspect(file));
  const artifact = checked && artifactReference(checked, deps.artifactRetentionMs);
  const target = { orderId, organizationId: null };
  const command = { name: 'handover', handover: { ...received, artifact } } as const;
  // an order's seals do not change once they are there
  const { sealIds } = await checkCommand(deps.db, target, command, metadata);
  const difference = sealDifference(sealIds, received.scannedSealIds);
  if (artifact && file) await storeArtifact(deps, orderId, artifact, file.content, true);
  return deps.db.transaction(async (tx) => {
    const stored = await applyWithin(tx, deps, target, command, metadata);
    if (artifact) await attachArtifact(tx, orderId, artifact, stored.order.sequence);
    if (!difference) return { stored, difference };
    const incident = { name: 'sealMismatch', stage: received.stage, difference } as const;
    const same = { ...metadata, payload: null };
    return { stored: await applyWithin(tx, deps, target, incident, same), difference };
  });
};
