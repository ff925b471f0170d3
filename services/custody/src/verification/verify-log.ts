import { leafHash } from '@pto/custody-verifier';
import {
  type Database,
  execute,
  fragment,
  type Placeholders,
  type Sql,
  statement,
} from '@pto/database';
import {
  existingTiles,
  hashBytes,
  leavesBetween,
  perfectRoot,
  type TileId,
  tileWidth,
} from '../log/stored-log.ts';
import { tables } from '../schema/ledger-database.ts';
import { checkLeaf, type StoredLeaf, selectLeaves, toLeaf } from './check-leaf.ts';
import { checkNumbers } from './check-numbers.ts';
import { CompactRange, type LogPosition } from './compact-range.ts';
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
  readonly reached: LogPosition;
  readonly ended: boolean;
}

/**
 * Verifies a page of the log: every leaf against its entry, its number in its organization, every
 * tile against its leaves, every checkpoint against the root at its size. Memory and time depend on the page's size only. All
 * reads are in one snapshot: its leaves, tiles and checkpoints were committed together or in this
 * order, so no checkpoint covers more leaves than the snapshot has.
 * @param from position before the page.
 */
export const verifyLog = (db: Database, from: LogPosition): Promise<LogVerdict> =>
  db.snapshot((sql) => verifyPage(sql, from));

const selectPage = statement((given: Placeholders<{ from: string; most: number }>) =>
  selectLeaves.where('l.leaf_index', '>=', given.from).orderBy('l.leaf_index').limit(given.most),
);

const verifyPage = async (sql: Sql, from: LogPosition): Promise<LogVerdict> => {
  const range = new CompactRange(from);
  const rows = await selectPage(sql, { from: `${from.size}`, most: pageSize });
  const leaves = rows.map(toLeaf);
  const signed = await signedAfter(sql, { from: `${from.size}` });
  // reads the root from the signed note; the column `root` is for operators
  const roots = new Map(
    signed.map(({ size, note }) => [
      Number(size),
      Buffer.from(note.split('\n')[2] ?? '', 'base64'),
    ]),
  );
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
  violations.push(...(await checkNumbers(sql, from.size, range.size)));
  const ended = leaves.length < pageSize;
  const beyond = signed.find(({ size }) => Number(size) > range.size);
  if (ended && ofLog.length === 0 && beyond)
    ofLog.push(
      logViolation(`a checkpoint over ${beyond.size} leaves was signed, the log has ${range.size}`),
    );
  return {
    leaves,
    violations: [...violations, ...ofLog],
    reached: ofLog.length > 0 ? from : range.position,
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

/** Reads the checkpoints over more than `from` leaves, as many as a page can have and one more. */
const signedAfter = statement((given: Placeholders<{ from: string }>) =>
  tables
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .where('size', '>', given.from)
    .orderBy('size')
    .limit(fragment.lit(pageSize + 1)),
);

/**
 * Compares a tile of leaf hashes with its leaves. If the tile is full, also compares the tile's
 * root with the hash in the tile above. If the tile is the last of the 256 below that tile,
 * continues upwards in the same way. Returns a violation, or null.
 * @param leaves the tile's 256 leaves, or as many as the log has.
 */
const checkTile = async (
  sql: Sql,
  index: number,
  leaves: readonly Buffer[],
): Promise<Violation | null> => {
  const violation = ({ level, index: at }: TileId) =>
    logViolation(`the tile ${level}/${at} does not hold what the leaves hash to`);
  const tiles: TileId[] = [{ level: 0, index }];
  for (let isFull = leaves.length === tileWidth; isFull; ) {
    const { level, index: child } = tiles.at(-1)!;
    tiles.push({ level: level + 1, index: Math.floor(child / tileWidth) });
    // only the last of 256 tiles completes the tile above
    isFull = child % tileWidth === tileWidth - 1;
  }
  try {
    const hashes = await existingTiles(sql, tiles);
    const expected = Buffer.concat(leaves.map(leafHash));
    if (!expected.equals(hashes[0]!.subarray(0, expected.length))) return violation(tiles[0]!);
    for (const [n, above] of tiles.slice(1).entries()) {
      const place = tiles[n]!.index % tileWidth;
      const stored = hashes[n + 1]!.subarray(place * hashBytes, (place + 1) * hashBytes);
      if (!Buffer.from(perfectRoot(hashes[n]!)).equals(stored)) return violation(above);
    }
    return null;
  } catch (error) {
    return logViolation((error as Error).message);
  }
};
