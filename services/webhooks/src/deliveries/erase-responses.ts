import { bulkStatement, type Sql } from '@pto/database';
import type { CustodyEvent } from '@pto/proto/custody/events/v1/custody_event';
import { tables } from '../schema/entities.ts';

const erase = bulkStatement({ organizationId: 'uuid', orderId: 'uuid' }, (orders) =>
  tables
    .with('known', (db) =>
      (['endpoints', 'deleted_endpoints'] as const)
        .map((table) =>
          db
            .selectFrom(orders('o'))
            .innerJoin(`${table as 'endpoints'} as e`, 'e.organization_id', 'o.organizationId')
            .select(['o.organizationId', 'o.orderId', 'e.id as endpointId']),
        )
        .reduce((some, others) => some.unionAll(others)),
    )
    .updateTable('attempts as a')
    .from('known as k')
    // the index of deliveries by order begins with the endpoint
    .innerJoin('deliveries as d', (join) =>
      join
        .onRef('d.organization_id', '=', 'k.organizationId')
        .onRef('d.endpoint_id', '=', 'k.endpointId')
        .onRef('d.order_id', '=', 'k.orderId'),
    )
    .set({ response_body: '' })
    .whereRef('a.organization_id', '=', 'd.organization_id')
    .whereRef('a.delivery_id', '=', 'd.id')
    .where('a.response_body', '<>', ''),
);

/**
 * Erases the stored responses to the deliveries of orders whose personal data was erased (decision
 * 70): a receiver may have repeated such data. Later responses are stored again.
 */
export const eraseResponses = async (
  sql: Sql,
  announced: readonly CustodyEvent[],
): Promise<void> => {
  const orders = announced
    .filter(({ event }) => event!.internalType === 'PERSONAL_DATA_ERASED')
    .map(({ event }) => ({ organizationId: event!.organizationId, orderId: event!.orderId }));
  if (orders.length > 0) await erase(sql, orders);
};
