import {
  loadTiles,
  orderIndexRoot,
  orderKey,
  proveInclusion,
  proveOrder,
} from '@pto/custody-verifier';
import { execute, isoMillis, type Sql } from '@pto/database';
import { emptyHead } from '../chain/entry.ts';
import { type Head, readChains, readEntries, toEntry } from '../chain/read-chain.ts';
import type { Checkpoint } from '../checkpoints/stored-checkpoints.ts';
import { readLines } from '../log/note-signer.ts';
import { nodesOf } from '../log/stored-log.ts';
import { indexTilesAt } from '../order-index/order-index.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkpointOfProof } from '../witness/published.ts';

/**
 * Reads a chain and creates its proofs as of one checkpoint, as the RPC returns them: where the log
 * has the last entry, and how many entries of the order the checkpoint covers (decision 52). `log`
 * is absent if no checkpoint covers the last entry, and for an order without entries.
 * `completeness` is absent if no checkpoint covers the last entry, or if the checkpoint of the proof
 * carries no index root.
 * @param sql one snapshot, so that chain, log and checkpoint agree.
 * @param options.whole false omits entries, the inclusion path and completeness.
 * @param options.witnesses vkeys of the configured witnesses.
 */
export const proveChain = async (
  sql: Sql,
  orderId: string,
  options: { readonly whole: boolean; origin: string; witnesses: readonly string[] },
) => {
  const { whole, origin, witnesses } = options;
  const entries = whole ? await readEntries(sql, orderId) : [];
  const last = entries.at(-1);
  const head: Head = last
    ? { sequence: last.sequence, hash: last.event_hash }
    : ((await readChains(sql, [orderId])).get(orderId) ?? emptyHead(orderId));
  const chain = {
    entries: entries.map(toEntry),
    count: head.sequence,
    headHash: head.hash,
    genesisHash: emptyHead(orderId).hash,
  };
  // an order without entries is proven by any checkpoint
  const leafIndex = head.sequence === 0 ? -1 : await leafOf(sql, orderId, head.sequence);
  const checkpoint = leafIndex === null ? null : await checkpointOfProof(sql, leafIndex, witnesses);
  if (leafIndex === null || !checkpoint) return chain;
  const { size, note, signedAt } = checkpoint;
  const log = leafIndex >= 0 && {
    origin,
    leafIndex: BigInt(leafIndex),
    treeSize: BigInt(size),
    inclusion: whole ? await proveInclusion(leafIndex, size, nodesOf(sql)) : [],
    checkpoint: note,
    signedAt: isoMillis(signedAt),
  };
  const completeness = whole ? await proveCompleteness(sql, orderId, head, checkpoint) : null;
  return { ...chain, ...(log && { log }), ...(completeness && { completeness }) };
};

/** Returns the leaf index of an entry; null if the entry is not in the log yet. */
const leafOf = async (sql: Sql, orderId: string, sequence: number): Promise<number | null> => {
  const [leaf] = await execute(
    sql,
    tables
      .selectFrom('log_leaves')
      .select('leaf_index')
      .where('order_id', '=', orderId)
      .where('sequence', '=', sequence),
  );
  return leaf ? Number(leaf.leaf_index) : null;
};

/**
 * Proves what the signed index contains for an order.
 * @param head the number of the order's entries that the checkpoint covers, and the hash of the
 *   last of them.
 * @returns null for a checkpoint that carries no index root.
 * @throws Error if the stored index does not lead to the signed root.
 */
const proveCompleteness = async (
  sql: Sql,
  orderId: string,
  { sequence: count, hash: head }: Head,
  { size, note }: Checkpoint,
) => {
  const { indexRoot } = readLines(note);
  if (!indexRoot) return null;
  const key = orderKey(orderId);
  const tiles = await loadTiles(indexTilesAt(sql, size), [key], indexRoot);
  const { path, leaf, included } = proveOrder(tiles, key);
  const otherLeaf = included ? null : leaf;
  const root = orderIndexRoot({ orderId, count, head, path, otherLeaf });
  if (!Buffer.from(indexRoot).equals(root))
    throw new Error(`the order index over ${size} leaves contradicts order ${orderId}`);
  return {
    path: [...path],
    ...(otherLeaf && { otherLeaf: { orderKey: otherLeaf.key, valueHash: otherLeaf.value } }),
    checkpoint: note,
  };
};
