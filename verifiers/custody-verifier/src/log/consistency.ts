import { sameBytes } from '../bytes/concat.ts';
import { emptyRoot, nodeHash } from './log-hash.ts';

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
  return walk(earlier, later, path);
};

const walk = (earlier: LogState, later: LogState, path: readonly Uint8Array[]): string | null => {
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
