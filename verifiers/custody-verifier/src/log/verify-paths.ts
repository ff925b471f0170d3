/** Hashes of the log (RFC 6962, section 2.1), and verification of its paths. */
import { sha256 } from '#sha256';
import { concat, hashBytes, sameBytes } from '../bytes.ts';
import { Rejection } from '../rejection.ts';

/** Returns the hash of a leaf: SHA-256(0x00 ‖ data). */
export const leafHash = (data: Uint8Array): Uint8Array => sha256(concat(leafPrefix, data));

/**
 * Returns the log's leaf hash of a custody entry. The leaf's data are the 32 bytes of `event_hash`.
 */
export const entryLeafHash = (eventHash: string): Uint8Array => leafHash(hashBytes(eventHash));

/** Returns the hash of a node: SHA-256(0x01 ‖ left ‖ right). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(nodePrefix, left, right));

/** Returns the root of a log without leaves: SHA-256 of the empty string. */
export const emptyRoot = (): Uint8Array => sha256(new Uint8Array());

/** Maximum number of hashes in a path. An inclusion path in a log of 2^53 leaves has 53 hashes. */
export const pathMax = 64;

const leafPrefix = Uint8Array.of(0x00);
const nodePrefix = Uint8Array.of(0x01);

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

/** The state of a log that a checkpoint states. */
export interface LogState {
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/**
 * Returns why a path does not prove that the later log begins with the earlier log (RFC 9162,
 * section 2.1.4.2). Returns null if the path proves it.
 */
export const consistencyFault = (
  earlier: LogState,
  later: LogState,
  path: readonly Uint8Array[],
): string | null => {
  if (earlier.size > later.size) return 'the earlier log is the longer one';
  if (earlier.size === later.size || earlier.size === 0) {
    if (path.length > 0) return 'the consistency path is too long';
    const known = earlier.size === 0 ? emptyRoot() : later.root;
    return sameBytes(earlier.root, known) ? null : 'logs of the same size have different roots';
  }
  if (path.length === 0) return 'the consistency path is too short';
  let [node, last] = [earlier.size - 1, later.size - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  // an earlier log of 2^n leaves is a node of the later one, so the path omits its root
  const [first, ...rest] = node === 0 ? [earlier.root, ...path] : path;
  let [before, after] = [first!, first!];
  for (const beside of rest) {
    if (last === 0) return 'the consistency path is too long';
    if (node % 2 === 1 || node === last) {
      [before, after] = [nodeHash(beside, before), nodeHash(beside, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else after = nodeHash(after, beside);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0) return 'the consistency path is too short';
  if (!sameBytes(before, earlier.root)) return 'the path does not lead to the earlier root';
  if (!sameBytes(after, later.root)) return 'the path does not lead to the later root';
  return null;
};
