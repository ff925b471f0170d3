import type { OrderStatus } from './order-status.ts';

/** As much of an order as its rules look at. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly itemCount: number;
  readonly transportOrganization: string | null;
  readonly driver: string | null;
  readonly cancelReason: string | null;
  readonly sla: string;
  /** The number of its last event; 0 before the first. */
  readonly sequence: number;
  /** The last event's time, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly lastEventAt: string | null;
  /** What began custody, or ended the order before it: decisions, `blocking_event`. */
  readonly blocking: BlockingEvent | null;
}

export interface BlockingEvent {
  readonly type: 'order.pickup_started' | 'order.cancelled';
  readonly ts_utc: string;
}

/** What a command changes; an absent member stays as it is. */
export interface OrderChange {
  readonly status?: OrderStatus;
  readonly transportOrganization?: string | null;
  readonly driver?: string | null;
  readonly cancelReason?: string;
  readonly sealIds?: readonly string[];
  readonly priceTotal?: string;
  readonly notes?: string;
  readonly blocking?: BlockingEvent;
}

/** What a command announces, before it has an id and a number. */
export interface Announcement {
  readonly type: string;
  readonly internalType: string;
  readonly tsUtc: string;
  readonly position: Position | null;
  readonly payload: JsonObject | null;
}

/** WGS 84 degrees. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

export type JsonObject = { readonly [member: string]: unknown };
