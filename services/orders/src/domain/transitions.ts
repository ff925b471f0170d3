import { orderStatuses } from '@pto/proto/vocabulary';
import type { OrderStatus } from './order.ts';

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
