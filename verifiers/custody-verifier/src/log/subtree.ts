import { emptyRoot, nodeHash } from './log-hash.ts';

/** A node: the root of the 2^level leaves from position `index`·2^level on. */
export interface NodeAt {
  /** Height of the node; 0 for a leaf. */
  readonly level: number;
  readonly index: number;
}

/** Reads the hashes of stored nodes. The result has the order of `nodes`. */
export type HashesAt = (nodes: readonly NodeAt[]) => Promise<readonly Uint8Array[]>;

export interface StoredNode extends NodeAt {
  readonly hash: Uint8Array;
}

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
