import { type Database, uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { enqueue } from '../deliveries/enqueue.ts';
import { lockEndpoint } from '../endpoints/find-endpoint.ts';
import { getDelivery, noSuchDelivery } from './get-delivery.ts';

/**
 * Queues the same payload again as a new delivery, behind what is queued for its order now; the old
 * one is untouched. To an endpoint that is not ENABLED it goes once it is.
 * @throws Failure NOT_FOUND where the delivery or its endpoint is gone, ILLEGAL_TRANSITION where
 * the endpoint is disabled.
 */
export const replayDelivery = async (db: Database, asked: string) => {
  await getDelivery(db, asked);
  const id = uuidv7();
  await db.transaction(async (tx) => {
    const [old] = await tx.query<OldDelivery>(
      `select endpoint_id, organization_id, order_id, event_id, event, payload
       from deliveries where id = $1`,
      [asked],
    );
    if (!old) throw noSuchDelivery();
    const endpoint = await lockEndpoint(tx, { id: old.endpoint_id });
    if (endpoint.disabled)
      throw new Failure(
        'ILLEGAL_TRANSITION',
        'The endpoint is disabled: nothing is queued for it.',
        {
          details: { endpoint_id: endpoint.id },
        },
      );
    await enqueue(tx, [
      {
        id,
        endpointId: old.endpoint_id,
        organizationId: old.organization_id,
        orderId: old.order_id,
        eventId: old.event_id,
        event: old.event,
        payload: old.payload,
        replayOf: asked.toLowerCase(),
        epoch: endpoint.epoch,
      },
    ]);
  });
  return getDelivery(db, id);
};

interface OldDelivery {
  readonly endpoint_id: string;
  readonly organization_id: string;
  readonly order_id: string;
  readonly event_id: string;
  readonly event: string;
  readonly payload: Buffer;
}
