import {
  type ArrayOf,
  anyOf,
  type Database,
  execute,
  fragment,
  type Given,
  insertRows,
  type Sql,
  statement,
} from '@pto/database';
import { tables } from '../schema/entities.ts';

const batchMax = 500;

/**
 * Ends queued deliveries of an older generation, in batches of 500. Their endpoint was deleted,
 * disabled, made BROKEN or not verified in time. The deliveries become EXHAUSTED with this reason.
 * A leased delivery is not ended here: its attempt ends it. The deliverer never claims a delivery
 * of an older generation.
 * @param endpointId limits the work to one endpoint; null: all endpoints.
 * @param until no batch starts after this time of `performance.now()`; no limit by default.
 */
export const endStale = async (
  db: Database,
  endpointId: string | null,
  until = Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (let ended = batchMax; ended === batchMax && performance.now() < until; )
    ended = await endBatch(db, endpointId);
};

const takeStale = statement((given: Given<{ endpointId: string | null }>) => {
  const now = fragment<string>`now()`;
  return tables
    .with(
      (cte) => cte('stale').materialized(),
      (db) =>
        db
          .selectFrom('pending_deliveries as p')
          .leftJoin('endpoints as e', 'e.id', 'p.endpoint_id')
          .select(({ fn }) => [
            'p.delivery_id',
            'p.attempts',
            'p.leased_at',
            'p.lease_until',
            fn.coalesce('e.generation_reason', fragment.lit('deleted')).as('reason'),
          ])
          .where(({ cast, eb, or }) => {
            const endpointId = cast<string | null>(given.endpointId, 'uuid');
            return or([eb(endpointId, 'is', null), eb('p.endpoint_id', '=', endpointId)]);
          })
          .where(({ eb, ref }) => eb('e.generation', 'is distinct from', ref('p.generation')))
          .where(({ eb, or }) =>
            or([eb('p.lease_until', 'is', null), eb('p.lease_until', '<=', now)]),
          )
          .limit(fragment.lit(batchMax))
          .forUpdate('p')
          .skipLocked(),
    )
    .with('lost', (db) =>
      insertRows(
        db,
        'attempts',
        ({ selectFrom }) => selectFrom('stale').where('leased_at', 'is not', null),
        ({ ref }) => ({
          delivery_id: ref('delivery_id'),
          number: ref('attempts'),
          at: ref('leased_at').$castTo<string>(),
          error: fragment.lit('lost'),
          duration_ms: fragment<number>`(extract(epoch from
            ${ref('lease_until')} - ${ref('leased_at')}) * 1000)::int`,
        }),
      ).onConflict((conflict) => conflict.doNothing()),
    )
    .deleteFrom('pending_deliveries as p')
    .using('stale as s')
    .whereRef('p.delivery_id', '=', 's.delivery_id')
    .returning(['p.delivery_id', 's.reason']);
});

const exhaust = statement((given: Given<{ ids: ArrayOf<string>; reason: string }>) =>
  tables
    .updateTable('deliveries')
    .set({ state: 'EXHAUSTED', reason: given.reason, ended_at: fragment<string>`now()` })
    .where('id', '=', anyOf(given.ids)),
);

const endBatch = (db: Database, endpointId: string | null): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await takeStale(tx, { endpointId });
    for (const [reason, ended] of Map.groupBy(rows, (row) => row.reason))
      await exhaust(tx, { ids: ended.map((row) => row.delivery_id), reason });
    return rows.length;
  });

const overdue = tables
  .selectFrom('endpoints')
  .select('id')
  .where('verify_by', '<=', fragment<string>`now()`)
  .where('status', '=', 'PENDING_VERIFICATION')
  .orderBy('verify_by')
  .limit(batchMax)
  .forNoKeyUpdate()
  .skipLocked();

/**
 * Starts a new generation of up to 500 endpoints whose verification deadline is over. Their
 * queued deliveries become stale, and `endStale` ends them.
 */
export const endUnverified = async (sql: Sql): Promise<void> => {
  await execute(
    sql,
    tables
      .updateTable('endpoints')
      .set(({ eb }) => ({
        generation: eb('generation', '+', 1),
        generation_reason: 'unverified',
        verify_by: null,
      }))
      .where('status', '=', 'PENDING_VERIFICATION')
      .where('id', 'in', overdue),
  );
};
