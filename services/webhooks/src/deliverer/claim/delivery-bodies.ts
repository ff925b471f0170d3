import { type Database, fragment, type Given, statement } from '@pto/database';
import { tables } from '../../schema/tables.ts';
import type { Leased } from './claim-row.ts';

const selectBodies = statement(
  (given: Given<{ ids: readonly string[]; first: string; last: string }>) =>
    tables
      .selectFrom('deliveries')
      .select(({ eb, ref }) => [
        'id',
        'event',
        'payload',
        'sequence',
        eb('replay_of', 'is not', null).$castTo<boolean>().as('again'),
        fragment<number>`(extract(epoch from ${ref('created_at')}) * 1000)::float8`.as(
          'created_ms',
        ),
      ])
      .where(({ eb, fn }) => eb('id', '=', fn.any(given.ids)))
      .where(({ between }) => between('id', given.first, given.last)),
);

export type Body = Awaited<ReturnType<typeof selectBodies>>[number];

/**
 * Reads the events and payloads of leased deliveries, by delivery id. The conditions on the least
 * and the greatest id let PostgreSQL skip daily partitions, also with a prepared plan.
 */
export const bodiesOf = async (
  db: Database,
  leased: readonly Leased[],
): Promise<Map<string, Body>> => {
  if (leased.length === 0) return new Map();
  const ids = leased.map((row) => row.delivery_id).sort();
  const rows = await selectBodies(db, { ids, first: ids[0]!, last: ids.at(-1)! });
  return new Map(rows.map((row) => [row.id, row]));
};
