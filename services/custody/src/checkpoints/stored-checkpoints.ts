import { rootOf } from '@pto/custody-verifier';
import {
  clockTimestamp,
  epochMillis,
  execute,
  fragment,
  isoMillis,
  type Placeholders,
  type Sql,
  statement,
} from '@pto/database';
import { readCheckpoint, readLines } from '../log/note-signer.ts';
import { nodesOf } from '../log/stored-log.ts';
import { tables } from '../schema/ledger-database.ts';

export interface Checkpoint {
  readonly size: number;
  readonly note: string;
  readonly signedAt: string;
}

const newest = statement(() =>
  tables
    .selectFrom('log_checkpoints')
    .select(['size', 'note', 'signed_at'])
    .orderBy('size', 'desc')
    .limit(fragment.lit(1)),
);

export const lastCheckpoint = async (sql: Sql): Promise<Checkpoint | null> => {
  const [row] = await newest(sql);
  return row ? { size: Number(row.size), note: row.note, signedAt: row.signed_at } : null;
};

/** The age of a checkpoint by the database's clock. */
const ageSeconds = fragment<number>`extract(epoch from clock_timestamp() - signed_at)::float8`;

const ageOfNewest = statement(() =>
  tables
    .selectFrom('log_checkpoints')
    .select(['signed_at as signedAt', ageSeconds.as('ageSeconds')])
    .orderBy('size', 'desc')
    .limit(fragment.lit(1)),
);

/** Returns when the newest checkpoint was signed and its age by the database's clock, or null. */
export const newestCheckpointAge = async (
  sql: Sql,
): Promise<{ signedAt: string; ageSeconds: number } | null> => {
  const [row] = await ageOfNewest(sql);
  return row ? { signedAt: isoMillis(row.signedAt), ageSeconds: row.ageSeconds } : null;
};

const selectAges = statement(() =>
  tables.selectFrom('log_state as s').select(({ selectFrom }) => {
    const checkpoints = selectFrom('log_checkpoints as c').select(ageSeconds.as('seconds'));
    return [
      checkpoints.orderBy('c.size', 'desc').limit(fragment.lit(1)).as('newest'),
      checkpoints.whereRef('c.size', '=', 's.anchored_size').as('anchored'),
    ];
  }),
);

/** Returns the ages in seconds of the newest checkpoint and of the newest anchored one, or null. */
export const checkpointAges = async (
  sql: Sql,
): Promise<{ newest: number | null; anchored: number | null }> => {
  const [row] = await selectAges(sql);
  return { newest: row?.newest ?? null, anchored: row?.anchored ?? null };
};

/** The number of leaves in the log, and the number that the newest checkpoint covers. */
export interface LogSizes {
  readonly leaves: number;
  readonly signed: number;
}

const selectSizes = statement(() =>
  tables.selectFrom('log_state').select(({ fn, lit, selectFrom }) => {
    const signed = selectFrom('log_checkpoints').select((c) => c.fn.max('size').as('max'));
    return ['size as leaves', fn.coalesce(signed, lit(0)).as('signed')];
  }),
);

export const logSizes = async (sql: Sql): Promise<LogSizes> => {
  const [row] = await selectSizes(sql);
  return { leaves: Number(row?.leaves ?? 0), signed: Number(row?.signed ?? 0) };
};

const thisHour = fragment<string>`date_trunc('hour', clock_timestamp(), 'UTC')`;

/** Stores a signed checkpoint; the first one of an hour is `hourly`. */
export const storeCheckpoint = statement(
  (given: Placeholders<{ size: string; root: Buffer; note: string }>) =>
    tables.insertInto('log_checkpoints').values(({ exists, not, selectFrom }) => ({
      size: given.size,
      root: given.root,
      note: given.note,
      hourly: not(
        exists(
          selectFrom('log_checkpoints as c')
            .where('c.hourly', '=', fragment.lit(true))
            .where('c.signed_at', '>=', thisHour),
        ),
      ).$castTo<boolean>(),
    })),
);

/**
 * Returns the time for the next checkpoint, `YYYY-MM-DDTHH:mm:ss.sssZ`; null if the last one was
 * signed within the last `intervalMs`. It is the time of the database's clock, which all replicas
 * share, but never earlier than the time of the last checkpoint.
 */
export const nextTime = async (
  sql: Sql,
  last: Checkpoint | null,
  intervalMs: number,
): Promise<string | null> => {
  const [row] = await execute(sql, tables.selectNoFrom(clockTimestamp.as('now')));
  const now = isoMillis(row!.now);
  if (!last) return now;
  if (epochMillis(row!.now) - epochMillis(last.signedAt) < intervalMs) return null;
  const before = readLines(last.note).time;
  return before !== null && before > now ? before : now;
};

/** Returns a sentence that says which of the signed notes the log contradicts; null if none. */
export const contradiction = async (
  sql: Sql,
  size: number,
  notes: readonly string[],
): Promise<string | null> => {
  const nodes = nodesOf(sql);
  for (const note of new Set(notes)) {
    const before = readCheckpoint(note);
    if (before.size > size)
      return `the log has ${size} leaves, and a checkpoint over ${before.size} was signed before`;
    if (!Buffer.from(before.root).equals(await rootOf(before.size, nodes)))
      return `the first ${before.size} leaves are not those that were signed before`;
  }
  return null;
};
