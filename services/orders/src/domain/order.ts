import { orderStatuses } from '@pto/proto/vocabulary';

export type OrderStatus = (typeof orderStatuses)[number];

/** The part of an order that the state machine reads. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly itemCount: number;
  readonly transportOrganization: string | null;
  readonly driver: string | null;
  readonly cancelReason: string | null;
  readonly sla: string;
  /** Number of the last event; 0 before the first. */
  readonly sequence: number;
  /** Time of the last event, `YYYY-MM-DDTHH:mm:ss.sssZ`; null before the first. */
  readonly lastEventAt: string | null;
  /**
   * The event that rules out a cancellation: the start of custody, or an earlier cancellation
   * (decisions, `blocking_event`).
   */
  readonly blocking: BlockingEvent | null;
}

export interface BlockingEvent {
  readonly type: 'order.pickup_started' | 'order.cancelled';
  readonly ts_utc: string;
}

/** The changes of a command. An absent member does not change. */
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

/** The event of a command, before it has an id and a number. */
export interface Announcement {
  readonly type: string;
  readonly internalType: string;
  readonly tsUtc: string;
  readonly position: Position | null;
  readonly payload: JsonObject | null;
}

/** A position in WGS 84 degrees. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

export type JsonObject = { readonly [member: string]: unknown };

/** Time, position and additional payload of a command (decision 30). */
export interface CommandMetadata {
  /** Time of the command, `YYYY-MM-DDTHH:mm:ss.sssZ`; null: the time of its processing. */
  readonly at: string | null;
  readonly position: Position | null;
  /** Additional members for the custody entry's payload. */
  readonly payload: JsonObject | null;
}

export const noMetadata: CommandMetadata = { at: null, position: null, payload: null };

/** Commands without parameters of their own. */
export interface PlainCommand {
  readonly name:
    | 'submit'
    | 'decline'
    | 'accept'
    | 'releaseDriver'
    | 'startPickup'
    | 'startTransport'
    | 'deliver'
    | 'close';
}

export type Command =
  | PlainCommand
  | { readonly name: 'assign'; readonly transportOrganization: string }
  | { readonly name: 'driver'; readonly driver: string }
  | { readonly name: 'seal'; readonly sealIds: readonly string[] }
  | { readonly name: 'cancel'; readonly reason: string }
  | { readonly name: 'incident' | 'escalate'; readonly note: string }
  | { readonly name: 'update'; readonly priceTotal?: string; readonly notes?: string };

interface Transition {
  readonly from: readonly OrderStatus[];
  /** Status after the command; `same`: the command does not change it. */
  readonly to: OrderStatus | 'same';
  /** Type of the event (contract 6.1). */
  readonly type: `order.${string}`;
  /** Internal type of the event (decision 29). */
  readonly internalType: string;
}

const transition = (
  from: readonly OrderStatus[],
  to: Transition['to'],
  type: Transition['type'],
  internalType: string,
): Transition => ({ from, to, type, internalType });

/**
 * Statuses before custody begins, from which an order can be cancelled (contract 3.1; decisions,
 * "Order states").
 */
export const cancellable: readonly OrderStatus[] = [
  'DRAFT',
  'SUBMITTED',
  'ASSIGNED',
  'ACCEPTED',
  'DRIVER_ASSIGNED',
];

/**
 * Statuses of an order that has at least one event. A DRAFT has no event, so the commands
 * `incident` and `escalate` are not permitted.
 */
const announced = orderStatuses.filter((status) => status !== 'DRAFT');

/**
 * The transitions of each command: its permitted statuses, the status after it, and its event.
 * `decide` in decide.ts applies them.
 */
export const transitions = {
  submit: transition(['DRAFT'], 'SUBMITTED', 'order.submitted', 'ORDER_SUBMITTED'),
  assign: transition(['SUBMITTED'], 'ASSIGNED', 'order.assigned', 'ORDER_ASSIGNED'),
  decline: transition(['ASSIGNED'], 'SUBMITTED', 'order.updated', 'ASSIGNMENT_DECLINED'),
  accept: transition(['ASSIGNED'], 'ACCEPTED', 'order.accepted', 'ORDER_ACCEPTED'),
  driver: transition(['ACCEPTED'], 'DRIVER_ASSIGNED', 'order.driver_assigned', 'DRIVER_ASSIGNED'),
  releaseDriver: transition(['DRIVER_ASSIGNED'], 'ACCEPTED', 'order.updated', 'DRIVER_RELEASED'),
  startPickup: transition(
    ['DRIVER_ASSIGNED'],
    'PICKUP_STARTED',
    'order.pickup_started',
    'PICKUP_STARTED',
  ),
  seal: transition(['PICKUP_STARTED'], 'SEALED', 'order.sealed', 'SEAL_APPLIED'),
  startTransport: transition(['SEALED'], 'IN_TRANSIT', 'order.in_transit', 'TRANSPORT_STARTED'),
  deliver: transition(['IN_TRANSIT'], 'DELIVERED', 'order.delivered', 'CUSTODY_TRANSFERRED'),
  close: transition(['DELIVERED'], 'CLOSED', 'order.closed', 'ORDER_CLOSED'),
  cancel: transition(cancellable, 'CANCELLED', 'order.cancelled', 'ORDER_CANCELLED'),
  incident: transition(announced, 'same', 'order.incident_reported', 'INCIDENT_REPORTED'),
  escalate: transition(announced, 'same', 'order.escalated', 'ORDER_ESCALATED'),
  update: transition(orderStatuses, 'same', 'order.updated', 'ORDER_UPDATED'),
} as const satisfies Record<string, Transition>;

export type CommandName = keyof typeof transitions;
