import type { Transaction } from '@pto/database';

/** A delivery to queue. */
export interface NewDelivery {
  /** UUIDv7; receivers read it in `X-Service-Delivery`. */
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

/** Queues deliveries in the given order, in one statement. They are due immediately. */
export const enqueue = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> => {
  if (deliveries.length === 0) return;
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((d) => d[name]);
  await tx.query(enqueueSql, [
    column('id'),
    column('endpointId'),
    column('organizationId'),
    column('orderId'),
    column('eventId'),
    column('event'),
    deliveries.map(({ payload }) => Buffer.from(payload)),
    column('replayOf'),
    column('generation'),
    column('sequence'),
  ]);
};

const enqueueSql = `with given as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[],
    $7::bytea[], $8::uuid[], $9::int[], $10::bigint[]) with ordinality
    as g (id, endpoint_id, organization_id, order_id, event_id, event, payload, replay_of, epoch,
      sequence, n)
), kept as (
  insert into deliveries (id, endpoint_id, organization_id, order_id, event_id, event, payload,
    replay_of, sequence)
  select id, endpoint_id, organization_id, order_id, event_id, event, payload, replay_of, sequence
  from given
)
insert into pending_deliveries (delivery_id, endpoint_id, order_id, epoch)
select id, endpoint_id, order_id, epoch from given order by n`;
