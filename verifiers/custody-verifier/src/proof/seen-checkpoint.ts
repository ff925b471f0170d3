/**
 * Compares the log of a proof file with the log that the caller has seen before: the longer log
 * must begin with the shorter one.
 */
import { consistencyFault } from '../log/consistency.ts';
import type { Checkpoint } from '../note/checkpoint.ts';
import { placed, Rejection } from '../rejection.ts';
import { readPath } from './inclusion-proof.ts';
import { type KnownKeys, openSigned } from './open-signed.ts';

/**
 * Compares the file's checkpoint with a checkpoint that the caller has seen. If the sizes differ
 * and the smaller log is not empty, the check fails without a consistency path.
 * @param path from the smaller to the larger of the two logs, base64.
 * @throws Rejection at `seen.checkpoint`.
 */
export const checkSeenCheckpoint = async (
  note: string,
  path: unknown,
  shown: Checkpoint | null,
  keys: KnownKeys,
): Promise<void> => {
  try {
    if (!shown) throw new Rejection('the file shows no checkpoint to compare with the seen one');
    const { checkpoint: seen, signer } = await openSigned(note, keys);
    if (signer === 'unchecked') throw new Rejection('this program cannot check signatures');
    if (seen.origin !== shown.origin)
      throw new Rejection(`the seen checkpoint is of another log, ${seen.origin}`);
    const [earlier, later] = seen.size <= shown.size ? [seen, shown] : [shown, seen];
    if (path === undefined && earlier.size > 0 && earlier.size < later.size)
      throw new Rejection(
        `cannot be checked offline: it needs a consistency proof from ${earlier.size} to ${later.size}`,
      );
    const fault = consistencyFault(earlier, later, path === undefined ? [] : readPath(path));
    if (fault) throw new Rejection(`${fault} (sizes ${earlier.size} and ${later.size})`);
  } catch (error) {
    throw placed('seen.checkpoint', error);
  }
};
