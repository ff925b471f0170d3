/**
 * The body of a delivery (contract 6.5; decisions 42 and 43); `event` discriminates the types.
 * Ignore members that are not listed here: the service can add members at any time.
 */
export type KnownEvent = OrderEvent | TestEvent;

/** An event of an order. */
export interface OrderEvent extends Envelope {
  readonly event: OrderEventName;
}

/** The sample event of `POST /webhooks/{endpoint_id}/test`; its order does not exist. */
export interface TestEvent extends Envelope {
  readonly event: 'order.test';
}

/** An event that this version does not know. Respond with 2xx and ignore it. */
export interface UnknownEvent {
  readonly event: string;
  readonly occurred_at: string;
  readonly sequence?: number;
  readonly data?: unknown;
  readonly links?: unknown;
}

interface Envelope {
  /** Time of the event, `YYYY-MM-DDTHH:mm:ss.sssZ`: the `ts_utc` of its custody entry. */
  readonly occurred_at: string;
  /**
   * Number of the event among those of this endpoint, without gaps; also in `X-Service-Sequence`.
   * Absent in test requests.
   */
  readonly sequence?: number;
  readonly data: {
    readonly order: {
      readonly id: string;
      /** Your reference; null if the order has none. */
      readonly external_id: string | null;
      /** Status in lower case, such as `submitted` or `in_transit`. */
      readonly status: string;
      readonly updated_at: string;
      /** Number of the event among those of its order. A higher number has a newer status. */
      readonly sequence: number;
    };
    /** Number and `event_hash` of the event's entry in the order's custody chain. */
    readonly custody?: { readonly sequence: number; readonly head_hash: string };
    /** True in test requests, whatever the event: their order does not exist. Absent in other events. */
    readonly test?: boolean;
  };
  /** `order` is the URL of the order in the API. */
  readonly links: { readonly order: string };
}

/** The event names of contract 6.1. */
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
