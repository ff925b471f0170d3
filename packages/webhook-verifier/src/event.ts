/**
 * The body of a delivery (contract 6.5; decisions 42 and 43), told apart by `event`. Members that
 * are not named here may come at any time: ignore them.
 */
export type KnownEvent = OrderEvent | TestEvent;

/** Something happened to an order. */
export interface OrderEvent extends Envelope {
  readonly event: OrderEventName;
}

/** The sample that `POST /webhooks/{endpoint_id}/test` sends; its order does not exist. */
export interface TestEvent extends Envelope {
  readonly event: 'order.test';
}

/** An event that was added after this version: answer it 2xx, and pass over it. */
export interface UnknownEvent {
  readonly event: string;
  readonly occurred_at: string;
  readonly sequence?: number;
  readonly data?: unknown;
  readonly links?: unknown;
}

interface Envelope {
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`: the `ts_utc` of the custody entry that it tells of. */
  readonly occurred_at: string;
  /** The delivery's number at this endpoint, without gaps; also in `X-Service-Sequence`. */
  readonly sequence?: number;
  readonly data: {
    readonly order: {
      readonly id: string;
      /** Your own reference; null where the order has none. */
      readonly external_id: string | null;
      /** In lower case: `submitted`, `in_transit`. */
      readonly status: string;
      readonly updated_at: string;
      /** Number of the event among those of its order: the higher one has the newer status. */
      readonly sequence: number;
    };
    /** The entry's place in the order's custody chain, and its `event_hash`. */
    readonly custody?: { readonly sequence: number; readonly head_hash: string };
    /** True in `order.test` alone. */
    readonly test?: boolean;
  };
  /** `order`: the URL of the order in the API. */
  readonly links: { readonly order: string };
}

/** The names of contract 6.1. */
export const knownEventNames = [
  'order.submitted',
  'order.assigned',
  'order.accepted',
  'order.driver_assigned',
  'order.pickup_started',
  'order.sealed',
  'order.in_transit',
  'order.delivered',
  'order.closed',
  'order.cancelled',
  'order.updated',
  'order.incident_reported',
  'order.escalated',
  'order.test',
] as const;

export type KnownEventName = (typeof knownEventNames)[number];
export type OrderEventName = Exclude<KnownEventName, 'order.test'>;
