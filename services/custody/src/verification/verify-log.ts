import type { Sql } from '@pto/database';
import type { Anchor } from '../anchor/anchor.ts';
import { tileWidth } from '../log/tiles.ts';
import { type AnchorWalk, anchorStart, checkAnchor } from './check-anchor.ts';
import type { Fault } from './check-chain.ts';
import { checkTile } from './check-tiles.ts';
import type { CompactRange } from './compact-range.ts';
import { logFault } from './log-fault.ts';

/** A whole number of tiles, so that each tile is looked at in one page. */
const pageSize = 8 * tileWidth;

interface Leaf {
  readonly leaf_index: string;
  readonly order_id: string;
  readonly event_hash: string;
  /** Null where the ledger has lost the entry. */
  readonly entry_id: string | null;
  readonly entry_hash: string | null;
}

export interface LogVerdict {
  readonly leaves: number;
  readonly faults: readonly Fault[];
  /** Null when all of the log and of the anchor was looked at. */
  readonly next: LogWalk | null;
}

/** How far a walk has come: over the leaves, and behind the last one over the anchor. */
export interface LogWalk {
  readonly range: CompactRange;
  readonly anchor: AnchorWalk | null;
}

/**
 * Walks a page on over the log: every leaf against its entry, every tile against its leaves, every
 * checkpoint against the root at its size; and then over the anchor. Memory and time are those of a
 * page, whatever the log's size.
 * @param walk where it stands; its range is moved on.
 */
export const verifyLog = async (
  sql: Sql,
  anchor: Anchor,
  { range, anchor: anchored }: LogWalk,
): Promise<LogVerdict> => {
  if (anchored) {
    const { faults, next } = await checkAnchor(sql, anchor, anchored);
    return { leaves: 0, faults, next: next && { range, anchor: next } };
  }
  const from = range.size;
  const leaves = await sql.query<Leaf>(
    `select l.leaf_index, l.order_id, l.event_hash, e.id as entry_id, e.event_hash as entry_hash
     from log_leaves l left join entries e using (order_id, sequence)
     where l.leaf_index >= $1 order by l.leaf_index limit $2`,
    [from, pageSize],
  );
  const roots = await rootsWithin(sql, from, from + pageSize);
  const faults: Fault[] = [];
  const tile: Buffer[] = [];
  for (const leaf of leaves) {
    if (Number(leaf.leaf_index) !== range.size)
      return { leaves: range.size - from, faults: [...faults, gap(range.size)], next: null };
    faults.push(...faultsOf(leaf));
    const data = Buffer.from(leaf.event_hash, 'hex');
    range.add(data);
    tile.push(data);
    if (roots.get(range.size)?.equals(range.root) === false)
      faults.push(logFault(`the checkpoint over ${range.size} leaves is not what they hash to`));
    if (range.size % tileWidth === 0 || leaf === leaves.at(-1)) {
      const fault = await checkTile(sql, Math.floor((range.size - 1) / tileWidth), tile.splice(0));
      if (fault) faults.push(fault);
    }
  }
  const ended = leaves.length < pageSize;
  if (ended) faults.push(...(await beyond(sql, range.size)));
  return { leaves: leaves.length, faults, next: { range, anchor: ended ? anchorStart : null } };
};

const gap = (index: number): Fault => logFault(`the log has lost leaf ${index}`);

const faultsOf = (leaf: Leaf): Fault[] => {
  const { order_id: orderId, entry_id: entryId } = leaf;
  if (entryId === null)
    return [{ orderId, entryId: '', reason: 'the log holds an entry that the ledger has lost' }];
  return leaf.entry_hash === leaf.event_hash
    ? []
    : [{ orderId, entryId, reason: 'the entry is not the one that the log holds' }];
};

const rootsWithin = async (sql: Sql, from: number, to: number): Promise<Map<number, Buffer>> => {
  const rows = await sql.query<{ size: string; note: string }>(
    'select size, note from log_checkpoints where size > $1 and size <= $2',
    [from, to],
  );
  // the note is what was signed; the column beside it is for people
  return new Map(
    rows.map(({ size, note }) => [Number(size), Buffer.from(note.split('\n')[2] ?? '', 'base64')]),
  );
};

/** Checkpoints over more leaves than there are. */
const beyond = async (sql: Sql, size: number): Promise<Fault[]> => {
  const rows = await sql.query<{ size: string }>(
    'select size from log_checkpoints where size > $1 order by size limit 1',
    [size],
  );
  return rows.map((row) =>
    logFault(`a checkpoint over ${row.size} leaves was signed, the log has ${size}`),
  );
};
