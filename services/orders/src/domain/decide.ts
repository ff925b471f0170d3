import { Failure, invalid } from '@pto/errors';
import type {
  Announcement,
  Command,
  CommandMetadata,
  JsonObject,
  OrderChange,
  OrderState,
  Position,
} from './order.ts';
import { transitions } from './order.ts';

/** The result of a command. A null change means that there is nothing to do. */
export interface Decision {
  readonly change: OrderChange | null;
  /** The event to publish; null for no event, as for a change of a DRAFT (decision 8). */
  readonly announcement: Announcement | null;
}

/**
 * Decides a command by the state machine (decisions, "Order states"). Pure: the decision depends
 * only on the arguments.
 * @param now milliseconds since the epoch.
 * @throws Failure ILLEGAL_TRANSITION, CANCEL_NOT_ALLOWED or VALIDATION.
 */
export const decide = (
  order: OrderState,
  command: Command,
  metadata: CommandMetadata,
  now: number,
): Decision => {
  const transition = transitions[command.name];
  if (command.name === 'cancel' && order.status === 'CANCELLED') {
    if (command.reason === order.cancelReason) return { change: null, announcement: null };
    throw rejectedCancellation(order);
  }
  if (!(transition.from as readonly string[]).includes(order.status))
    throw command.name === 'cancel' ? rejectedCancellation(order) : rejected(order, command);
  const tsUtc = entryTime(metadata.at, order.lastEventAt, now);
  const { change, payload } = effect(order, command, tsUtc);
  const announcement: Announcement = {
    type: transition.type,
    internalType: transition.internalType,
    tsUtc,
    position: entryPosition(metadata.position),
    payload: entryPayload(payload, metadata.payload),
  };
  const status = transition.to === 'same' ? {} : { status: transition.to };
  const silent = order.status === 'DRAFT' && transition.to === 'same';
  return { change: { ...change, ...status }, announcement: silent ? null : announcement };
};

const rejected = (order: OrderState, command: Command): Failure => {
  const { to } = transitions[command.name];
  const target = to === 'same' ? order.status : to;
  const what = to === 'same' ? `${command.name} is not possible` : `it cannot become ${to}`;
  return new Failure('ILLEGAL_TRANSITION', `The order is ${order.status}; ${what}.`, {
    details: { status: order.status, target },
  });
};

const rejectedCancellation = (order: OrderState): Failure =>
  new Failure(
    'CANCEL_NOT_ALLOWED',
    order.status === 'CANCELLED'
      ? 'The order was cancelled with another reason.'
      : `The order is ${order.status} and cannot become CANCELLED.`,
    { details: { status: order.status, target: 'CANCELLED', blocking_event: order.blocking } },
  );

/** Returns what a command changes on the order, and the payload of its custody entry. */
const effect = (
  order: OrderState,
  command: Command,
  tsUtc: string,
): { change: OrderChange; payload: JsonObject | null } => {
  switch (command.name) {
    case 'submit':
      return { change: {}, payload: { sla: order.sla, item_count: order.itemCount } };
    case 'assign':
      return {
        change: { transportOrganization: command.transportOrganization },
        payload: { transport_organization: command.transportOrganization },
      };
    case 'decline':
      return {
        change: { transportOrganization: null },
        payload: { transport_organization: order.transportOrganization },
      };
    case 'driver':
      return { change: { driver: command.driver }, payload: { driver: command.driver } };
    case 'releaseDriver':
      return { change: { driver: null }, payload: { driver: order.driver } };
    case 'startPickup':
      return {
        change: { blocking: { type: 'order.pickup_started', ts_utc: tsUtc } },
        payload: null,
      };
    case 'seal':
      return seal(order, command.sealIds);
    case 'cancel':
      return {
        change: {
          cancelReason: command.reason,
          blocking: { type: 'order.cancelled', ts_utc: tsUtc },
        },
        payload: { cancelled_from: order.status },
      };
    case 'incident':
    case 'escalate':
      return { change: {}, payload: { note: command.note } };
    case 'update':
      return update(command);
    case 'accept':
    case 'startTransport':
    case 'deliver':
    case 'close':
      return { change: {}, payload: null };
  }
};

const seal = (order: OrderState, sealIds: readonly string[]) => {
  const expected = Math.max(order.itemCount, 1);
  if (sealIds.length !== expected)
    throw invalid(
      ['seal_ids'],
      `the order takes exactly ${expected} seal${expected === 1 ? '' : 's'}, one for each item`,
      sealIds,
    );
  return { change: { sealIds }, payload: { seal_ids: sealIds } };
};

/**
 * Returns the changes and, for the payload, the names of the changed fields without their values.
 */
const update = ({ priceTotal, notes }: { priceTotal?: string; notes?: string }) => {
  const fields = [
    ...(priceTotal === undefined ? [] : ['price_total']),
    ...(notes === undefined ? [] : ['notes']),
  ];
  if (fields.length === 0) throw invalid(['update'], 'name at least one field to change');
  return {
    change: {
      ...(priceTotal !== undefined && { priceTotal }),
      ...(notes !== undefined && { notes }),
    },
    payload: { fields },
  };
};

/**
 * Maximum time by which a command's time may be ahead of this process's clock, in ms (decision 30).
 */
const aheadMaxMs = 5 * 60_000;

/**
 * Returns the time of the custody entry: the command's time, or the current time if the command has
 * none. If this replica's clock is behind the previous entry's time, the previous entry's time is
 * returned instead of the current time.
 * @throws Failure VALIDATION if the command's time is more than 5 minutes ahead of the clock, or
 *   before the previous entry
 */
export const entryTime = (at: string | null, previous: string | null, now: number): string => {
  if (at === null) {
    const current = new Date(now).toISOString();
    return previous !== null && previous > current ? previous : current;
  }
  if (Date.parse(at) > now + aheadMaxMs)
    throw invalid(['at'], 'the time is more than 5 minutes ahead', at);
  if (previous !== null && at < previous)
    throw invalid(['at'], `the time is before the order's last event, ${previous}`, at);
  return at;
};

/**
 * Returns the position with 6 decimals (about 11 cm) and without negative zeros.
 * @throws Failure VALIDATION if degrees are out of range
 */
export const entryPosition = (position: Position | null): Position | null => {
  if (position === null) return null;
  const { lat, lng } = position;
  if (!(Math.abs(lat) <= 90)) throw invalid(['lat'], 'latitude lies between -90 and 90', lat);
  if (!(Math.abs(lng) <= 180)) throw invalid(['lng'], 'longitude lies between -180 and 180', lng);
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6 + 0;
  return { lat: round(lat), lng: round(lng) };
};

/**
 * Merges the command's own payload members with the operator's.
 * @throws Failure VALIDATION if both have the same member
 */
export const entryPayload = (
  own: JsonObject | null,
  more: JsonObject | null,
): JsonObject | null => {
  if (own === null || more === null) return own ?? more;
  const collision = Object.keys(more).find((member) => Object.hasOwn(own, member));
  if (collision !== undefined)
    throw invalid(['payload', collision], 'this member is set by the command itself');
  return { ...own, ...more };
};
