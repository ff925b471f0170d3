import {
  type ArrayOf,
  anyOf,
  type Database,
  execute,
  fragment,
  insertFromArrays,
  type Placeholders,
  type Sql,
  statement,
} from '@pto/database';
import { isNotHeld } from '@pto/moves';
import { type EndpointKey, tables } from '../schema/entities.ts';

const batchMax = 500;

/**
 * Ends queued deliveries of an older generation, in batches of 500. Their endpoint was deleted,
 * disabled, made BROKEN or not verified in time. The deliveries become EXHAUSTED with this reason.
 * A leased delivery is not ended here: its attempt ends it. The deliverer never claims a delivery
 * of an older generation. Deliveries of a held organization stay until it is released.
 * @param endpoint limits the work to one endpoint; null: all endpoints.
 * @param until no batch starts after this time of `performance.now()`; no limit by default.
 */
export const endStale = async (
  db: Database,
  endpoint: EndpointKey | null,
  until = Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (let ended = batchMax; ended === batchMax && performance.now() < until; )
    ended = await endBatch(db, endpoint);
};

const takeStaleOf = (endpoint?: Placeholders<EndpointKey>) => {
  const now = fragment<string>`now()`;
  return tables
    .with(
      (cte) => cte('stale').materialized(),
      (db) =>
        db
          .selectFrom('pending_deliveries as p')
          .leftJoin('endpoints as e', (join) =>
            join
              .onRef('e.organization_id', '=', 'p.organization_id')
              .onRef('e.id', '=', 'p.endpoint_id'),
          )
          .select(({ fn }) => [
            'p.organization_id',
            'p.delivery_id',
            'p.attempts',
            'p.leased_at',
            'p.lease_until',
            fn.coalesce('e.generation_reason', fragment.lit('deleted')).as('reason'),
          ])
          .$if(endpoint !== undefined, (rows) =>
            rows
              .where('p.organization_id', '=', endpoint!.organizationId)
              .where('p.endpoint_id', '=', endpoint!.id),
          )
          .where(({ eb, ref }) => eb('e.generation', 'is distinct from', ref('p.generation')))
          .where(isNotHeld('p.organization_id'))
          .where(({ eb, or }) =>
            or([eb('p.lease_until', 'is', null), eb('p.lease_until', '<=', now)]),
          )
          .limit(fragment.lit(batchMax))
          .forUpdate('p')
          .skipLocked(),
    )
    .with('lost', (db) =>
      insertFromArrays(
        db,
        'attempts',
        ({ selectFrom }) => selectFrom('stale').where('leased_at', 'is not', null),
        () => lostAttempt,
      ).onConflict((conflict) => conflict.doNothing()),
    )
    .deleteFrom('pending_deliveries as p')
    .using('stale as s')
    .whereRef('p.organization_id', '=', 's.organization_id')
    .whereRef('p.delivery_id', '=', 's.delivery_id')
    .returning(['p.organization_id', 'p.delivery_id', 's.reason']);
};

const takeStale = statement((given: Placeholders<EndpointKey>) => takeStaleOf(given));
const takeAnyStale = statement(() => takeStaleOf());

const exhaust = statement(
  (
    given: Placeholders<{ organizationIds: ArrayOf<string>; ids: ArrayOf<string>; reason: string }>,
  ) =>
    tables
      .updateTable('deliveries')
      .set({ state: 'EXHAUSTED', reason: given.reason, ended_at: fragment<string>`now()` })
      .where('organization_id', '=', anyOf(given.organizationIds))
      .where('id', '=', anyOf(given.ids)),
);

const endBatch = (db: Database, endpoint: EndpointKey | null): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await (endpoint ? takeStale(tx, endpoint) : takeAnyStale(tx));
    for (const [reason, ended] of Map.groupBy(rows, (row) => row.reason)) {
      const organizationIds = [...new Set(ended.map((row) => row.organization_id))];
      await exhaust(tx, { organizationIds, ids: ended.map((row) => row.delivery_id), reason });
    }
    return rows.length;
  });

const overdue = tables
  .selectFrom('endpoints')
  .select(['organization_id', 'id'])
  .where('verify_by', '<=', fragment<string>`now()`)
  .where('status', '=', 'PENDING_VERIFICATION')
  .where('paused', '=', false)
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
      .where(({ eb, refTuple }) =>
        eb(refTuple('organization_id', 'id'), 'in', overdue.$asTuple('organization_id', 'id')),
      ),
  );
};

/**
 * The row of `attempts` of a lease that ended without a result, from the columns of its row of
 * `pending_deliveries`.
 */
const lostAttempt = {
  organization_id: fragment.ref<string>('organization_id'),
  delivery_id: fragment.ref<string>('delivery_id'),
  number: fragment.ref<number>('attempts'),
  at: fragment.ref<string>('leased_at'),
  error: fragment.lit('lost'),
  duration_ms: fragment<number>`(extract(epoch from lease_until - leased_at) * 1000)::int`,
};
