import { bulkInsert, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';

/** A delivery to queue. */
export interface NewDelivery {
  /** UUIDv7. Receivers read this id in the header `X-Service-Delivery`. */
  readonly id: string;
  readonly endpointId: string;
  readonly organizationId: string;
  readonly orderId: string;
  readonly eventId: string;
  readonly event: string;
  readonly payload: Uint8Array;
  /** The event's number in the endpoint's stream. */
  readonly sequence: number;
  /** Id of the delivery whose event is sent again; null for the first delivery of an event. */
  readonly replayOf: string | null;
  /** The endpoint's generation, read in the transaction that queues the delivery. */
  readonly generation: number;
}

/** The columns that `deliveries` and `quarantined_deliveries` share. */
export const storedColumns = (delivery: NewDelivery) => ({
  endpoint_id: delivery.endpointId,
  organization_id: delivery.organizationId,
  order_id: delivery.orderId,
  event_id: delivery.eventId,
  event: delivery.event,
  payload: delivery.payload,
  sequence: `${delivery.sequence}`,
});

const insertHistory = bulkInsert(tables, 'deliveries');
const insertQueued = bulkInsert(tables, 'pending_deliveries');

/**
 * Queues deliveries in the given order. The deliveries are due immediately.
 * @param tx the transaction, or its `pipelined`.
 */
export const enqueue = async (tx: Sql, deliveries: readonly NewDelivery[]): Promise<void> => {
  await insertHistory(
    tx,
    deliveries.map((one) => ({ id: one.id, replay_of: one.replayOf, ...storedColumns(one) })),
  );
  await insertQueued(
    tx,
    deliveries.map((one) => ({
      organization_id: one.organizationId,
      delivery_id: one.id,
      endpoint_id: one.endpointId,
      order_id: one.orderId,
      generation: one.generation,
    })),
  );
};
