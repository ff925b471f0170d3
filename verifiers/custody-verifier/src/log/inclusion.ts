import { Rejection } from '../rejection.ts';
import { nodeHash } from './log-hash.ts';

/**
 * Computes the root to which an inclusion path leads (RFC 9162, section 2.1.3.2). The leaf is in
 * the log if this root is the root in the log's checkpoint.
 * @param index the leaf's position, from 0.
 * @param size the log's number of leaves.
 * @param path sibling hashes from the leaf up to the root.
 * @throws Rejection if the length of the path does not match index and size.
 */
export const inclusionRoot = (
  index: number,
  size: number,
  leaf: Uint8Array,
  path: readonly Uint8Array[],
): Uint8Array => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new Rejection(`there is no leaf ${index} in a log of ${size}`);
  let [node, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) throw new Rejection('the inclusion path is too long');
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(beside, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, beside);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Rejection('the inclusion path is too short');
  return hash;
};
