import { execute, fragment, type Given, type Sql, statement } from '@pto/database';
import { tables } from '../schema/ledger-database.ts';

/**
 * Maximum number of hourly checkpoints, and of those of the last day, that one call reads from the
 * range, smallest sizes first.
 */
const rangeMax = 10_000;

export interface Stored {
  readonly size: number;
  readonly note: string;
  /**
   * Whether the anchor must still store the checkpoint: it is hourly, or was signed within the last
   * day.
   */
  readonly required: boolean;
}

export const newestSize = async (sql: Sql): Promise<number> => {
  const [row] = await execute(
    sql,
    tables.selectFrom('log_checkpoints').select(({ fn }) => fn.max('size').as('size')),
  );
  return Number(row?.size ?? 0);
};

interface Wanted {
  readonly after: string;
  readonly upTo: string;
  readonly sizes: readonly string[];
}

const signedToday = fragment<boolean>`signed_at > clock_timestamp() - interval '1 day'`;

const selectStored = statement((given: Given<Wanted>) => {
  const range = tables
    .selectFrom('log_checkpoints')
    .selectAll()
    .where('size', '>', given.after)
    .where('size', '<=', given.upTo)
    .orderBy('size')
    .limit(fragment.lit(rangeMax));
  const named = tables
    .selectFrom('log_checkpoints')
    .selectAll()
    .where(({ eb, fn }) => eb('size', '=', fn.any(given.sizes)));
  // two ranges in place of `hourly or signed today`, because each has an index
  const hourly = range.where(({ ref }) => ref('hourly'));
  const all = tables
    .selectFrom(hourly.as('h'))
    .selectAll('h')
    .union(tables.selectFrom(range.where(signedToday).as('r')).selectAll('r'))
    .union(named);
  return tables
    .selectFrom(all.as('c'))
    .select(({ or, ref }) => [
      'c.size',
      'c.note',
      or([ref('c.hourly'), signedToday])
        .$castTo<boolean>()
        .as('required'),
    ])
    .orderBy('c.size');
});

/**
 * Reads the required checkpoints of a range of sizes and all checkpoints with the named sizes, in
 * ascending order.
 */
export const readStored = async (
  sql: Sql,
  after: number,
  upTo: number,
  named: readonly { size: number }[],
): Promise<Map<number, Stored>> => {
  const rows = await selectStored(sql, {
    after: `${after}`,
    upTo: `${upTo}`,
    sizes: named.map(({ size }) => `${size}`),
  });
  return new Map(
    rows.map(({ size, note, required }) => [Number(size), { size: Number(size), note, required }]),
  );
};
