import { type Database, execute, uuidv7 } from '@pto/database';
import { lockOpenEndpoint } from '../endpoint-rows/lock-open-endpoint.ts';
import { enqueue } from '../queue/enqueue.ts';
import { tables } from '../schema/tables.ts';
import { getDelivery, noSuchDelivery, type WhichDelivery } from './get-delivery.ts';

/**
 * Queues the same payload again as a new delivery, behind what is queued for its order now; the old
 * one is untouched. It keeps the event's number in the stream. To an endpoint that is not ENABLED
 * it goes once it is.
 * @throws Failure NOT_FOUND where the delivery or its endpoint is gone, ILLEGAL_TRANSITION where
 * the endpoint is disabled.
 */
export const replayDelivery = async (db: Database, which: WhichDelivery) => {
  const { id: replayed } = await getDelivery(db, which);
  const id = uuidv7();
  await db.transaction(async (tx) => {
    const [old] = await execute(
      tx,
      tables
        .selectFrom('deliveries')
        .select([
          'endpoint_id as endpointId',
          'organization_id as organizationId',
          'order_id as orderId',
          'event_id as eventId',
          'event',
          'payload',
          'sequence',
        ])
        .where('id', '=', replayed),
    );
    if (!old) throw noSuchDelivery();
    const { generation } = await lockOpenEndpoint(tx, { id: old.endpointId });
    const sequence = Number(old.sequence);
    await enqueue(tx, [{ ...old, id, sequence, replayOf: replayed!, generation }]);
  });
  return getDelivery(db, { id });
};
