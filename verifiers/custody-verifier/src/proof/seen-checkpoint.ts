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
 * Compares the file's checkpoint with a checkpoint that the caller has seen.
 * @param path the consistency path from the smaller to the larger log, base64. It may be undefined
 *   only if both logs have the same size or the smaller log is empty.
 * @throws Rejection at `seen.checkpoint` if the file has no checkpoint, the seen checkpoint is not
 *   signed by a known key of the same log, or the path is missing or does not prove that the larger
 *   log begins with the smaller one.
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
