import {
  type ArrayOf,
  anyOf,
  fragment,
  type Given,
  statement,
  type Transaction,
  unnest,
} from '@pto/database';
import { tables } from '../schema/entities.ts';

const take = statement((given: Given<{ endpoint_id: ArrayOf<string>; count: ArrayOf<number> }>) =>
  tables
    .with(
      (cte) => cte('locked').materialized(),
      (db) =>
        db
          .selectFrom('endpoint_sequences')
          .select('endpoint_id')
          .where('endpoint_id', '=', anyOf(given.endpoint_id, 'uuid'))
          // every replica locks in the order of the ids, which prevents deadlocks
          .orderBy('endpoint_id')
          .forUpdate(),
    )
    .updateTable('endpoint_sequences as s')
    .from(['locked', unnest('g', given, { endpoint_id: 'uuid', count: 'int' })])
    .set(({ ref }) => ({ last: fragment<string>`${ref('s.last')} + ${ref('g.count')}` }))
    .whereRef('s.endpoint_id', '=', 'locked.endpoint_id')
    .whereRef('g.endpoint_id', '=', 's.endpoint_id')
    .returning(({ ref }) => [
      's.endpoint_id',
      fragment<string>`${ref('s.last')} - ${ref('g.count')} + 1`.as('first'),
    ]),
);

/**
 * Takes the next numbers of endpoints' streams. A rollback returns the numbers, so a stream has no
 * gaps. The streams stay locked until the transaction ends.
 * @param counts how many numbers each endpoint needs, by endpoint id.
 * @returns the first number of each endpoint; a deleted endpoint is absent.
 */
export const nextSequences = async (
  tx: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> => {
  if (counts.size === 0) return new Map();
  const rows = await take(tx, { endpoint_id: [...counts.keys()], count: [...counts.values()] });
  return new Map(rows.map((row) => [row.endpoint_id, Number(row.first)]));
};
