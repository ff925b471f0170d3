import { type Database, execute, uuidv7 } from '@pto/database';
import { getDelivery, noSuchDelivery, type WhichDelivery } from '../deliveries/get-delivery.ts';
import { lockOpenEndpoint } from '../endpoints/find-endpoint.ts';
import { enqueue } from '../queue/enqueue.ts';
import { tables } from '../schema/entities.ts';

/**
 * Queues a delivery's payload again as a new delivery, with the same number in the stream. The new
 * delivery waits for queued deliveries of its order that were not tried yet, and until its endpoint
 * is ENABLED. The replayed delivery stays unchanged.
 * @throws Failure NOT_FOUND if the delivery or its endpoint does not exist, ILLEGAL_TRANSITION if
 *   the endpoint is disabled.
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
