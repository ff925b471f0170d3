import { nodeHash } from './log-hash.ts';
import type { HashesAt, NodeAt, StoredNode } from './subtree.ts';

/**
 * Returns the nodes that a log of `size` leaves must store when leaves are added: the added leaves,
 * and each node whose subtree the added leaves complete. Children come before their parents.
 */
export const appendLeaves = async (
  size: number,
  leaves: readonly Uint8Array[],
  hashesAt: HashesAt,
): Promise<StoredNode[]> => {
  const stored: StoredNode[] = [];
  // the last full node of each level that waits for its right sibling
  const waiting = await waitingNodes(size, hashesAt);
  for (const [n, leaf] of leaves.entries()) {
    let node: StoredNode = { level: 0, index: size + n, hash: leaf };
    stored.push(node);
    while (node.index % 2 === 1) {
      const hash: Uint8Array = nodeHash(waiting.get(node.level)!, node.hash);
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash };
      stored.push(node);
    }
    waiting.set(node.level, node.hash);
  }
  return stored;
};

const waitingNodes = async (size: number, hashesAt: HashesAt): Promise<Map<number, Uint8Array>> => {
  const nodes: NodeAt[] = [];
  for (let [level, count] = [0, size]; count > 0; level++, count = Math.floor(count / 2))
    if (count % 2 === 1) nodes.push({ level, index: count - 1 });
  const hashes = nodes.length > 0 ? await hashesAt(nodes) : [];
  return new Map(nodes.map(({ level }, n) => [level, hashes[n]!]));
};
