import { leastUuid } from '../../values.ts';
import { withLockRetries } from './lock-retries.ts';
import type { OnlineStep } from './online-migration.ts';

export interface Backfill {
  readonly table: string;
  /** Column with which an index of the table begins; a uuid that is never null. */
  readonly by: string;
  /** `column = value` of an update. */
  readonly set: string;
  /** Condition of a row that is not filled yet. */
  readonly where: string;
}

const batchRows = 5000;

/**
 * Returns a step that fills the rows of a table in batches by key range, each in a transaction of
 * its own. An interrupted step begins at the first key again, and updates no row twice.
 */
export const backfill = ({ table, by, set, where }: Backfill): OnlineStep => ({
  what: `${table}: set ${set.split(' ', 1)[0]}`,
  run: async (client, record) => {
    // the statistics of a table that grows fast may let the planner read all of it for each batch
    await client.query('set enable_seqscan = off');
    let last = leastUuid;
    for (;;) {
      const { rows } = await client.query<{ key: string }>(
        `select key from (
           select ${by} as key from ${table} where ${by} > $1 order by ${by} limit ${batchRows}
         ) batch order by key desc limit 1`,
        [last],
      );
      const end = rows[0]?.key;
      if (end === undefined) break;
      await withLockRetries(client, () =>
        client.query(`update ${table} set ${set} where ${by} > $1 and ${by} <= $2 and (${where})`, [
          last,
          end,
        ]),
      );
      last = end;
    }
    await client.query('reset enable_seqscan');
    await record();
  },
});
