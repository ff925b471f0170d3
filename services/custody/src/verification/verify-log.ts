import { type Database, execute, type Given, type Sql, statement } from '@pto/database';
import { leavesBetween } from '../log/leaves.ts';
import { tileWidth } from '../log/tiles.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkLeaf, type StoredLeaf, selectLeaves, toLeaf } from './check-leaf.ts';
import { checkTile } from './check-tiles.ts';
import type { CompactRange } from './compact-range.ts';
import { logViolation, type Violation } from './violation.ts';

/**
 * Number of leaves per page: a multiple of the tile's width, so that a traversal from the first
 * leaf compares each tile in one page.
 */
const pageSize = 8 * tileWidth;

export interface LogVerdict {
  /** The leaves of the page, in order. */
  readonly leaves: readonly StoredLeaf[];
  readonly violations: readonly Violation[];
  /** The position after the page; if the log contradicts itself, the position before the page. */
  readonly range: CompactRange;
  readonly ended: boolean;
}

/**
 * Verifies a page of the log: every leaf against its entry, every tile against its leaves, every
 * checkpoint against the root at its size. Memory and time depend on the page's size only. All
 * reads are in one snapshot: its leaves, tiles and checkpoints were committed together or in this
 * order, so no checkpoint covers more leaves than the snapshot has.
 * @param from position before the page; it is not changed.
 */
export const verifyLog = (db: Database, from: CompactRange): Promise<LogVerdict> =>
  db.snapshot((sql) => verifyPage(sql, from));

const selectPage = statement((given: Given<{ from: string; most: number }>) =>
  selectLeaves.where('l.leaf_index', '>=', given.from).orderBy('l.leaf_index').limit(given.most),
);

const verifyPage = async (sql: Sql, from: CompactRange): Promise<LogVerdict> => {
  const range = from.copy();
  const rows = await selectPage(sql, { from: `${from.size}`, most: pageSize });
  const leaves = rows.map(toLeaf);
  const roots = await rootsWithin(sql, from.size, from.size + pageSize);
  const violations: Violation[] = [];
  const ofLog: Violation[] = [];
  let tile: Buffer[] = await leavesOfTile(sql, from.size);
  for (const leaf of leaves) {
    if (Number(leaf.leaf_index) !== range.size) {
      ofLog.push(logViolation(`the log has lost leaf ${range.size}`));
      break;
    }
    const violation = checkLeaf(leaf);
    if (violation) violations.push(violation);
    const hash = Buffer.from(leaf.leaf_hash, 'hex');
    range.add(hash);
    tile.push(hash);
    if (roots.get(range.size)?.equals(range.root) === false)
      ofLog.push(logViolation(`the checkpoint over ${range.size} leaves is not what they hash to`));
    if (range.size % tileWidth === 0 || leaf === leaves.at(-1)) {
      const fault = await checkTile(sql, Math.floor((range.size - 1) / tileWidth), tile);
      if (fault) ofLog.push(fault);
      tile = [];
    }
  }
  const ended = leaves.length < pageSize;
  if (ended && ofLog.length === 0) ofLog.push(...(await beyond(sql, range.size)));
  return {
    leaves,
    violations: [...violations, ...ofLog],
    range: ofLog.length > 0 ? from : range,
    ended: ended || ofLog.length > 0,
  };
};

/**
 * Returns the data (`event_hash`) of the leaves that lie before the page's first leaf in the same
 * tile; empty if the page begins with a tile.
 */
const leavesOfTile = async (sql: Sql, size: number): Promise<Buffer[]> => {
  const first = size - (size % tileWidth);
  if (first === size) return [];
  const rows = await execute(sql, leavesBetween(first, size).select('event_hash'));
  return rows.map((row) => Buffer.from(row.event_hash, 'hex'));
};

const rootsWithin = async (sql: Sql, from: number, to: number): Promise<Map<number, Buffer>> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints')
      .select(['size', 'note'])
      .where('size', '>', `${from}`)
      .where('size', '<=', `${to}`),
  );
  // reads the root from the signed note; the column `root` is for operators
  return new Map(
    rows.map(({ size, note }) => [Number(size), Buffer.from(note.split('\n')[2] ?? '', 'base64')]),
  );
};

/** Returns a violation if a checkpoint covers more than the `size` leaves of the log. */
const beyond = async (sql: Sql, size: number): Promise<Violation[]> => {
  const rows = await execute(
    sql,
    tables
      .selectFrom('log_checkpoints')
      .select('size')
      .where('size', '>', `${size}`)
      .orderBy('size')
      .limit(1),
  );
  return rows.map((row) =>
    logViolation(`a checkpoint over ${row.size} leaves was signed, the log has ${size}`),
  );
};
