import { bulkStatement, fragment, type Transaction } from '@pto/database';
import { type EndpointKey, tables } from '../schema/entities.ts';

const columns = { organization_id: 'uuid', endpoint_id: 'uuid', count: 'int' } as const;

const take = bulkStatement(columns, (rows) =>
  tables
    .with(
      (cte) => cte('locked').materialized(),
      (db) =>
        db
          .selectFrom('endpoint_sequences as s')
          .innerJoin(rows('g'), (join) =>
            join
              .onRef('g.organization_id', '=', 's.organization_id')
              .onRef('g.endpoint_id', '=', 's.endpoint_id'),
          )
          .select(['s.organization_id', 's.endpoint_id', 'g.count'])
          // every replica locks in the order of the ids, which prevents deadlocks
          .orderBy('s.endpoint_id')
          .forUpdate('s'),
    )
    .updateTable('endpoint_sequences as s')
    .from('locked')
    .set(({ ref }) => ({ last: fragment<string>`${ref('s.last')} + ${ref('locked.count')}` }))
    .whereRef('s.organization_id', '=', 'locked.organization_id')
    .whereRef('s.endpoint_id', '=', 'locked.endpoint_id')
    .returning(({ ref }) => [
      's.endpoint_id',
      fragment<string>`${ref('s.last')} - ${ref('locked.count')} + 1`.as('first'),
    ]),
);

/**
 * Takes the next numbers of endpoints' streams. A rollback returns the numbers, so a stream has no
 * gaps. The streams stay locked until the transaction ends.
 * @param counts how many numbers each endpoint needs, each endpoint once.
 * @returns the first number of each endpoint; a deleted endpoint is absent.
 */
export const nextSequences = async (
  tx: Transaction,
  counts: readonly (EndpointKey & { readonly count: number })[],
): Promise<Map<string, number>> => {
  if (counts.length === 0) return new Map();
  const rows = await take(
    tx,
    counts.map(({ organizationId, id, count }) => {
      return { organization_id: organizationId, endpoint_id: id, count };
    }),
  );
  return new Map(rows.map((row) => [row.endpoint_id, Number(row.first)]));
};
