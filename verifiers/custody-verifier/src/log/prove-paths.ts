import { emptyRoot, nodeHash } from './verify-paths.ts';

/** A node: the root of the 2^level leaves from position `index`·2^level on. */
export interface NodeAt {
  /** Height of the node; 0 for a leaf. */
  readonly level: number;
  readonly index: number;
}

/** Reads the hashes of stored nodes. The result has the order of `nodes`. */
export type HashesAt = (nodes: readonly NodeAt[]) => Promise<readonly Uint8Array[]>;

/** A subtree of the log that has a hash in RFC 6962: the leaves from `start` to `end - 1`. */
export interface Subtree {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the size of the left subtree into which RFC 6962 splits leaves: the largest power of two
 * that is smaller than `leaves`.
 */
export const splitOf = (leaves: number): number => {
  let split = 1;
  while (split * 2 < leaves) split *= 2;
  return split;
};

/** Computes the hash of each subtree. One call of `hashesAt` reads the nodes of all subtrees. */
export const subtreeHashes = async (
  subtrees: readonly Subtree[],
  hashesAt: HashesAt,
): Promise<Uint8Array[]> => {
  const nodes = subtrees.map(fullNodes);
  const hashes = await hashesAt(nodes.flat());
  let from = 0;
  return nodes.map(({ length }) => {
    const parts = hashes.slice(from, from + length);
    from += length;
    return parts.reduceRight((right, left) => nodeHash(left, right));
  });
};

/** Computes the root of the log's first `size` leaves. */
export const rootOf = async (size: number, hashesAt: HashesAt): Promise<Uint8Array> =>
  size === 0 ? emptyRoot() : (await subtreeHashes([{ start: 0, end: size }], hashesAt))[0]!;

/** Returns the stored nodes that form a subtree, largest first. */
const fullNodes = ({ start, end }: Subtree): NodeAt[] => {
  const nodes: NodeAt[] = [];
  for (let from = start; from < end; ) {
    let [level, leaves] = [0, 1];
    while (from + leaves * 2 <= end) [level, leaves] = [level + 1, leaves * 2];
    nodes.push({ level, index: from / leaves });
    from += leaves;
  }
  return nodes;
};

/**
 * Returns the path from a leaf to the root of the log's first `size` leaves (RFC 6962, section
 * 2.1.1).
 * @param index the leaf's position, from 0.
 * @throws RangeError if the log has no such leaf.
 */
export const proveInclusion = async (
  index: number,
  size: number,
  hashesAt: HashesAt,
): Promise<Uint8Array[]> => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`there is no leaf ${index} in a log of ${size}`);
  const { beside } = descend(index + 1, size, (start, end) => end - start === 1);
  return subtreeHashes(beside, hashesAt);
};

/**
 * Follows the splits of a log to the leaf before `upTo`, until `isEnd`.
 * @returns the subtrees beside the way, the deepest first, and where the way ends.
 */
const descend = (
  upTo: number,
  size: number,
  isEnd: (start: number, end: number) => boolean,
): Subtree & { readonly beside: Subtree[] } => {
  const beside: Subtree[] = [];
  let [start, end] = [0, size];
  while (!isEnd(start, end)) {
    const middle = start + splitOf(end - start);
    if (upTo <= middle) {
      beside.unshift({ start: middle, end });
      end = middle;
    } else {
      beside.unshift({ start, end: middle });
      start = middle;
    }
  }
  return { beside, start, end };
};

/**
 * Returns the path that proves that a log of `later` leaves begins with the log of `earlier` leaves
 * (RFC 6962, section 2.1.2).
 * @throws RangeError if a size is not a whole number from 0, or if earlier is greater than later.
 */
export const proveConsistency = async (
  earlier: number,
  later: number,
  hashesAt: HashesAt,
): Promise<Uint8Array[]> => {
  if (!Number.isSafeInteger(earlier) || !Number.isSafeInteger(later) || earlier < 0)
    throw new RangeError('sizes are whole numbers from 0');
  if (earlier > later) throw new RangeError(`a log of ${later} has no first ${earlier} leaves`);
  if (earlier === 0) return [];
  const { beside, start, end } = descend(earlier, later, (_, at) => at === earlier);
  // a subtree that begins at the first leaf is the earlier log itself, whose root is known
  return subtreeHashes(start === 0 ? beside : [{ start, end }, ...beside], hashesAt);
};
