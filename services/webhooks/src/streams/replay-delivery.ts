import { type Database, execute, uuidv7 } from '@pto/database';
import { type DeliveryKey, getDelivery, noSuchDelivery } from '../deliveries/get-delivery.ts';
import { lockOpenEndpoint } from '../endpoints/find-endpoint.ts';
import { enqueue } from '../queue/enqueue.ts';
import { tables } from '../schema/entities.ts';
import { nameReplay } from './named-replays.ts';

/**
 * Queues a delivery's payload again as a new delivery, with the same number in the stream. The new
 * delivery waits for queued deliveries of its order that were not tried yet, and until its endpoint
 * is ENABLED. The replayed delivery stays unchanged.
 * @param commandId the sender's id of the replay: a repetition returns the delivery that the first has
 *   queued. null: each call queues a delivery.
 * @throws Failure NOT_FOUND if the delivery or its endpoint does not exist, ILLEGAL_TRANSITION if
 *   the endpoint is disabled, IDEMPOTENCY_KEY_REUSED.
 */
export const replayDelivery = async (
  db: Database,
  key: DeliveryKey,
  commandId: string | null = null,
) => {
  const { organizationId } = key;
  const { id: replayed } = await getDelivery(db, key);
  const id = await db.transaction(async (tx) => {
    const deliveryId = uuidv7();
    const named = commandId && { organizationId, commandId, replayedId: replayed!, deliveryId };
    const earlier = named && (await nameReplay(tx, named));
    if (earlier) return earlier;
    const [old] = await execute(
      tx,
      tables
        .selectFrom('deliveries')
        .select([
          'endpoint_id as endpointId',
          'order_id as orderId',
          'event_id as eventId',
          'event',
          'payload',
          'sequence',
        ])
        .where('organization_id', '=', organizationId)
        .where('id', '=', replayed),
    );
    if (!old) throw noSuchDelivery();
    const { generation } = await lockOpenEndpoint(tx, { organizationId, id: old.endpointId });
    const sequence = Number(old.sequence);
    const replay = {
      ...old,
      organizationId,
      id: deliveryId,
      sequence,
      replayOf: replayed!,
      generation,
    };
    await enqueue(tx, [replay]);
    return deliveryId;
  });
  return getDelivery(db, { organizationId, id });
};
