import {
  type IndexTiles,
  type LoggedEntry,
  leafOfKey,
  loadTiles,
  orderKey,
  type ReadIndexTiles,
  Rejection,
  rebuildIndexRoot,
  sha256Hex,
  toBase64,
  updateTiles,
  valueHash,
} from '@pto/custody-verifier';
import { type Database, execute, type Placeholders, type Sql, statement } from '@pto/database';
import { readLines } from '../log/note-signer.ts';
import { loggedLeaves } from '../log/stored-log.ts';
import { indexTilesAt } from '../order-index/order-index.ts';
import { tables } from '../schema/ledger-database.ts';
import { confirmed, logViolation, type Violation } from '../verification/violation.ts';
import type { Audited, Auditing, AuditorState, IndexPosition } from './state.ts';

/** A signed checkpoint; its index root is null if it carries none. */
interface Signed {
  readonly size: number;
  readonly root: Uint8Array | null;
}

/**
 * Computes the order index of each new checkpoint over verified leaves and compares it with the
 * root in the checkpoint (decision 52). From one checkpoint to the next, the audit reads only the
 * new leaves and the tiles on their paths, and verifies each tile against the previous root. The
 * first audit begins with the newest checkpoint; earlier checkpoints are not verified. The audit
 * computes a root from all leaves if it has no verified root yet, or if the tiles of the last
 * verified root are deleted.
 */
export const auditIndex = async (auditing: Auditing, from: AuditorState): Promise<Audited> => {
  const { db } = auditing;
  for (let state = from; ; ) {
    auditing.stopping.throwIfAborted();
    const { index, log } = state;
    const signed = index
      ? await signedBetween(db, index.size, log.size, 'asc')
      : await signedBetween(db, 0, log.size, 'desc');
    if (!signed) return { state, violations: [] };
    const check = async () => ({ violations: await rootFaults(db, index, signed) });
    const { violations } = await confirmed(auditing, check);
    if (violations.length > 0 || !signed.root) return { state, violations };
    state = { ...state, index: { size: signed.size, root: toBase64(signed.root) } };
  }
};

/**
 * Returns how the index root of a checkpoint differs from its leaves.
 * @param index the last verified index; null before the first.
 */
const rootFaults = async (
  db: Database,
  index: IndexPosition | null,
  { size, root }: Signed,
): Promise<Violation[]> => {
  if (!root)
    return [logViolation(`the checkpoint over ${size} leaves carries no root of the order index`)];
  // one snapshot for all reads: replaced tiles are deleted after a day, possibly between two reads
  const step = await db.snapshot(async (sql) =>
    index && (await isReadable(sql, index.size)) ? continueIndex(sql, index, size) : null,
  );
  // leaves never change, so computing the root from all of them needs no snapshot
  const found = step ?? { root: await rebuildIndex(db, size) };
  if (found.root === null)
    return [{ orderId: found.orderId, entryId: '', reason: `order index: ${found.reason}` }];
  if (Buffer.from(root).equals(found.root)) return [];
  return [
    logViolation(
      `the order index root of the checkpoint over ${size} leaves differs from the root recomputed from its leaves`,
    ),
  ];
};

const addedLeaves = statement((given: Placeholders<{ from: string; end: string }>) =>
  tables
    .selectFrom('log_leaves as l')
    .leftJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'l.order_id').onRef('e.sequence', '=', 'l.sequence'),
    )
    .select(['l.order_id as orderId', 'l.sequence', 'l.event_hash as eventHash'])
    .select('e.prev_event_hash as previousHash')
    .where('l.leaf_index', '>=', given.from)
    .where('l.leaf_index', '<', given.end)
    .orderBy('l.leaf_index'),
);

const continueIndex = async (sql: Sql, index: IndexPosition, size: number): Promise<IndexStep> => {
  const leaves = await addedLeaves(sql, { from: `${index.size}`, end: `${size}` });
  return auditIndexStep(indexTilesAt(sql, index.size), Buffer.from(index.root, 'base64'), leaves);
};

/** Returns the first or the last checkpoint over more than `after` and at most `upTo` leaves. */
const signedBetween = async (
  sql: Sql,
  after: number,
  upTo: number,
  order: 'asc' | 'desc',
): Promise<Signed | undefined> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints')
      .select(['size', 'note'])
      .where('size', '>', `${after}`)
      .where('size', '<=', `${upTo}`)
      .orderBy('size', order)
      .limit(1),
  );
  return row && { size: Number(row.size), root: readLines(row.note).indexRoot };
};

const isReadable = async (sql: Sql, size: number): Promise<boolean> => {
  const rows = await execute(
    sql,
    tables.selectFrom('order_index_versions').select('size').where('size', '=', `${size}`),
  );
  return rows.length > 0;
};

/** A verified leaf of the log that was added to the index. */
export interface AddedLeaf {
  readonly orderId: string;
  readonly sequence: number;
  readonly eventHash: string;
  /** `prev_event_hash` of the entry; null if the entry is lost, which the full audit reports. */
  readonly previousHash: string | null;
}

/**
 * The root after a step, or what is wrong and with which order; the order id is empty if no order
 * is concerned.
 */
type IndexStep =
  | { readonly root: Uint8Array }
  | { readonly root: null; readonly orderId: string; readonly reason: string };

/**
 * Computes the index's next root from the last verified root and the leaves added since. Stored
 * tiles are not trusted: each tile must hash to its position under the verified root. The sequence
 * numbers of an order's leaves must follow the count in the index without a gap. If the first leaf
 * of the order has a `previousHash`, that hash must be the head in the index. Memory is
 * proportional to the number of leaves.
 * @param read reads the stored tiles of the verified root: `indexTilesAt(sql, size)`.
 * @param root the verified root; `emptyIndexHash` before the first leaf.
 * @param leaves in the log's order.
 */
export const auditIndexStep = async (
  read: ReadIndexTiles,
  root: Uint8Array,
  leaves: readonly AddedLeaf[],
): Promise<IndexStep> => {
  const orders = Array.from(
    Map.groupBy(leaves, ({ orderId }) => orderId),
    ([orderId, of]) => ({ orderId, of, last: of.at(-1)!, key: orderKey(orderId) }),
  );
  try {
    const keys = orders.map(({ key }) => key);
    const tiles = await loadTiles(read, keys, root);
    for (const { orderId, of, key } of orders) {
      const reason = continuationFault(tiles, key, of);
      if (reason !== null) return { root: null, orderId, reason };
    }
    const added = orders.map(({ key, last }) => ({
      key,
      value: valueHash(last.sequence, last.eventHash),
    }));
    return { root: updateTiles(tiles, added).root };
  } catch (error) {
    if (error instanceof Rejection) return { root: null, orderId: '', reason: error.message };
    throw error;
  }
};

/** Returns why an order's leaves do not continue the index's leaf of the order, or null. */
const continuationFault = (
  tiles: IndexTiles,
  key: Uint8Array,
  leaves: readonly AddedLeaf[],
): string | null => {
  const { sequence, previousHash } = leaves[0]!;
  const held = leafOfKey(tiles, key);
  if (!held && sequence !== 1)
    return `the log adds entry ${sequence}, the index holds no entry of the order`;
  if (held && sequence === 1)
    return 'the log adds entry 1, the index already holds entries of the order';
  const before = previousHash !== null && valueHash(sequence - 1, previousHash);
  if (held && before && !Buffer.from(before).equals(held.value))
    return `the log adds entry ${sequence}, the index does not hold the entry before it as last`;
  const gap = leaves.findIndex((leaf, n) => leaf.sequence !== sequence + n);
  if (gap > 0)
    return `the log adds entry ${leaves[gap]!.sequence} behind entry ${leaves[gap - 1]!.sequence}`;
  return null;
};

/** Approximate maximum number of orders in memory at a time, about 400 bytes each. */
const ordersMax = 250_000;
const pageSize = 8192;

/**
 * Computes the index's root from the log's first `size` leaves, without the stored index. Memory is
 * bounded: a large log is read several times, each time for a part of the orders.
 * @throws Rejection if an order's entries are not numbered 1, 2, 3 … in the log.
 * @throws Error if the log lacks a leaf.
 */
export const rebuildIndex = (sql: Sql, size: number, held = ordersMax): Promise<Uint8Array> => {
  let digits = 0;
  while (size / 16 ** digits > held) digits++;
  return rebuildIndexRoot(() => loggedEntries(sql, size), digits);
};

async function* loggedEntries(sql: Sql, size: number): AsyncGenerator<LoggedEntry> {
  for (let from = 0; from < size; from += pageSize)
    for (const leaf of await loggedLeaves(sql, from, Math.min(from + pageSize, size)))
      yield { key: sha256Hex(leaf.order_id), sequence: leaf.sequence, head: leaf.event_hash };
}
