/** Orders of whose events an endpoint was not told: somebody should telephone. */
import { execute, firstUuidv7Sql, fragment, type Sql } from '@pto/database';
import { externalIdIn } from '../queue/payload.ts';
import { tables } from '../schema/entities.ts';
import { addressOf } from './endpoint-addresses.ts';

/** A delivery counts from this failed attempt on: 36 minutes after the first one (decision 38). */
const attemptsFrom = 3;
/** Maximum number of orders in the list. */
const ordersMax = 1000;

/**
 * Selects the newest deliveries of two days that are exhausted and whose event was not queued again.
 * A partial index of each day has the exhausted ones.
 */
const exhausted = () =>
  tables
    .selectFrom('deliveries as d')
    .innerJoin('endpoints as e', (join) =>
      join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.endpoint_id'),
    )
    .where(fragment<boolean>`d.state = 'EXHAUSTED'`)
    .where('d.id', '>=', firstUuidv7Sql(fragment`now() - interval '2 days'`))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as r')
            .whereRef('r.organization_id', '=', 'd.organization_id')
            .whereRef('r.endpoint_id', '=', 'd.endpoint_id')
            .whereRef('r.order_id', '=', 'd.order_id')
            .whereRef('r.event_id', '=', 'd.event_id')
            .whereRef('r.id', '>', 'd.id')
            .where(fragment<boolean>`r.state <> 'EXHAUSTED'`),
        ),
      ),
    )
    .orderBy('d.id', 'desc')
    .limit(ordersMax)
    .select(['d.order_id', 'd.payload', 'e.url', 'e.id as endpoint_id']);

/** Selects queued deliveries whose attempts fail. */
const failing = () =>
  tables
    .selectFrom('pending_deliveries as q')
    .innerJoin('endpoints as e', (join) =>
      join.onRef('e.organization_id', '=', 'q.organization_id').onRef('e.id', '=', 'q.endpoint_id'),
    )
    .innerJoin('deliveries as d', (join) =>
      join.onRef('d.organization_id', '=', 'q.organization_id').onRef('d.id', '=', 'q.delivery_id'),
    )
    .where('q.attempts', '>=', fragment.lit(attemptsFrom))
    .select(['q.order_id', 'd.payload', 'e.url', 'e.id as endpoint_id'])
    .limit(ordersMax);

/** Returns these orders, each with host and path of one of the endpoints. */
export const listUntoldOrders = async (sql: Sql) => {
  const rows = await execute(
    sql,
    tables
      .selectFrom(exhausted().as('x'))
      .selectAll()
      .unionAll(tables.selectFrom(failing().as('f')).selectAll())
      .limit(ordersMax),
  );
  const byOrder = new Map(rows.map((row) => [row.order_id, row]));
  return [...byOrder].map(([orderId, { payload, url, endpoint_id: endpointId }]) => ({
    ...{ orderId, endpointId },
    orderExternalId: externalIdIn(payload),
    endpointAddress: addressOf(url),
  }));
};
