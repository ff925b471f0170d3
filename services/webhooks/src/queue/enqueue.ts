import {
  type ArrayOf,
  type Given,
  insertRows,
  type Sql,
  statement,
  unnestNumbered,
} from '@pto/database';
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

interface Deliveries {
  readonly id: ArrayOf<string>;
  readonly endpoint_id: ArrayOf<string>;
  readonly organization_id: ArrayOf<string>;
  readonly order_id: ArrayOf<string>;
  readonly event_id: ArrayOf<string>;
  readonly event: ArrayOf<string>;
  readonly payload: ArrayOf<Uint8Array>;
  readonly replay_of: ArrayOf<string | null>;
  readonly generation: ArrayOf<number>;
  readonly sequence: ArrayOf<number>;
}

const types = {
  id: 'uuid',
  endpoint_id: 'uuid',
  organization_id: 'uuid',
  order_id: 'uuid',
  event_id: 'uuid',
  event: 'text',
  payload: 'bytea',
  replay_of: 'uuid',
  generation: 'int',
  sequence: 'bigint',
} as const;

const insert = statement((given: Given<Deliveries>) => {
  const history = tables
    .with(
      (cte) => cte('given').materialized(),
      (db) => db.selectFrom(unnestNumbered('g', given, types)).selectAll('g'),
    )
    .with('stored', (db) =>
      insertRows(
        db,
        'deliveries',
        ({ selectFrom }) => selectFrom('given'),
        ({ ref }) => ({
          id: ref('id'),
          endpoint_id: ref('endpoint_id'),
          organization_id: ref('organization_id'),
          order_id: ref('order_id'),
          event_id: ref('event_id'),
          event: ref('event'),
          payload: ref('payload'),
          replay_of: ref('replay_of'),
          sequence: ref('sequence'),
        }),
      ),
    );
  return insertRows(
    history,
    'pending_deliveries',
    ({ selectFrom }) => selectFrom('given').orderBy('n'),
    ({ ref }) => ({
      delivery_id: ref('id'),
      endpoint_id: ref('endpoint_id'),
      order_id: ref('order_id'),
      generation: ref('generation'),
    }),
  );
});

/**
 * Queues deliveries in the given order, in one statement. The deliveries are due immediately.
 * @param tx the transaction, or its `pipelined`.
 */
export const enqueue = async (tx: Sql, deliveries: readonly NewDelivery[]): Promise<void> => {
  if (deliveries.length === 0) return;
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((d) => d[name]);
  await insert(tx, {
    id: column('id'),
    endpoint_id: column('endpointId'),
    organization_id: column('organizationId'),
    order_id: column('orderId'),
    event_id: column('eventId'),
    event: column('event'),
    payload: deliveries.map(({ payload }) => Buffer.from(payload)),
    replay_of: column('replayOf'),
    generation: column('generation'),
    sequence: column('sequence'),
  });
};
