import { Failure, invalid } from '@pto/errors';
import { nextStopOf, type OrderCommand, orderCommands } from '@pto/proto/order-commands';
import { judgeReport, withoutReport } from './expected-time.ts';
import { recordHandover, requireEvidence, waiveEvidence } from './handover.ts';
import { opened, reportIncident, resolveIncident } from './incident.ts';
import type {
  Announcement,
  Command,
  CommandMetadata,
  JsonObject,
  OrderChange,
  OrderState,
} from './order.ts';
import { recordedPayload } from './recorded-payload.ts';

/** Every command of the state machine has its row. */
const rows: Readonly<Record<Command['name'], OrderCommand>> = orderCommands;

export const noMetadata: CommandMetadata = {
  at: null,
  position: null,
  payload: null,
  operator: null,
  carrierId: null,
  device: null,
};

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
  const {
    change: { from, to },
    event: { type, entry: internalType },
  } = rows[command.name];
  if (command.name === 'cancel' && order.status === 'CANCELLED') {
    if (command.reason === order.cancelReason) return { change: null, announcement: null };
    throw rejectedCancellation(order);
  }
  if (!from.includes(order.status))
    throw command.name === 'cancel' ? rejectedCancellation(order) : rejected(order, command);
  requireEvidence(order, command, to === 'same' ? order.status : to);
  const tsUtc = entryTime(metadata.at, order.lastEventAt, now);
  const { change, payload = null, isSilent = false } = effect(order, command, tsUtc, metadata);
  const announcement: Announcement = {
    type,
    internalType,
    tsUtc,
    position: metadata.position,
    payload: entryPayload(payload, metadata.payload),
    device: metadata.device,
    ...(command.name === 'keep' && { kept: command.kept }),
  };
  const status = to === 'same' ? {} : { status: to };
  const silent = isSilent || (order.status === 'DRAFT' && to === 'same');
  if (change === null) return { change, announcement: null };
  return { change: { ...change, ...status }, announcement: silent ? null : announcement };
};

const rejected = (order: OrderState, command: Command): Failure => {
  const { to } = rows[command.name].change;
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
  { device }: CommandMetadata,
): { change?: OrderChange | null; payload?: JsonObject | null; isSilent?: boolean } => {
  switch (command.name) {
    case 'submit':
      return { payload: { sla: order.sla, item_count: order.itemCount } };
    case 'assign': {
      const { transportOrganization, carrierId = null } = command;
      const payload = { transport_organization: transportOrganization };
      return { change: { transportOrganization, carrierId }, payload };
    }
    case 'decline':
      return {
        change: { transportOrganization: null, carrierId: null },
        payload: { transport_organization: order.transportOrganization },
      };
    case 'driver':
      return {
        change: { driver: command.driver, driverId: command.driverId ?? null },
        payload: { driver: command.driver },
      };
    case 'releaseDriver':
      return {
        change: {
          ...{ driver: null, driverId: null },
          ...{ expected: withoutReport(order.expected), expectedDueAt: null },
        },
        payload: { driver: order.driver },
      };
    case 'startPickup':
      return { change: { blocking: { type: 'order.pickup_started', ts_utc: tsUtc } } };
    case 'arrive':
      return { payload: arrive(order, command) };
    case 'revokeDevice': {
      const { driverId, key, from } = command;
      return { payload: { driver_id: driverId, key, from } };
    }
    case 'keep':
      return { payload: command.payload ?? {} };
    case 'seal':
      return seal(order, command);
    case 'cancel': {
      const blocking = { type: 'order.cancelled', ts_utc: tsUtc } as const;
      return {
        change: { cancelReason: command.reason, blocking, expectedDueAt: null },
        payload: { cancelled_from: order.status },
      };
    }
    case 'incident':
      return reportIncident(order, command);
    case 'escalate':
      return {
        change: opened(order, 'escalation', 'high'),
        payload: { note: command.note },
      };
    case 'resolve':
      return resolveIncident(order, command);
    case 'expect':
      return expect(order, command, tsUtc);
    case 'update':
      return update(command);
    case 'handover':
      return recordHandover(order, command, device !== null);
    case 'waive':
      return waiveEvidence(order, command);
    case 'sealMismatch': {
      const { stage, difference } = command;
      const { missing, unexpected } = difference;
      const seals = { missing_seal_ids: missing, unexpected_seal_ids: unexpected };
      const payload = { v: 'handover/1', stage, ...seals };
      return { change: opened(order, 'seal', 'high'), payload };
    }
    case 'condition':
      return { payload: command.payload };
    case 'excursion':
      return { change: opened(order, 'temperature', 'high'), payload: command.payload };
    case 'erase':
      return {
        ...(Object.hasOwn(command.erased, 'driver') && {
          change: { driver: null, driverId: null },
        }),
        payload: { erased: command.erased },
      };
    case 'deliver':
      return { change: { deliveredAt: tsUtc, heldBy: null, expectedDueAt: null } };
    case 'startTransport':
      return { change: { expected: { ...order.expected, departed: tsUtc } } };
    case 'accept':
    case 'close':
      return {};
  }
};

/** The statuses in which a driver arrives at each stop. */
const arrivals = { pickup: ['DRIVER_ASSIGNED', 'PICKUP_STARTED'], dropoff: ['IN_TRANSIT'] };

const arrive = (order: OrderState, command: Extract<Command, { name: 'arrive' }>) => {
  if (!arrivals[command.stop].includes(order.status)) throw rejected(order, command);
  return recordedPayload(command);
};

const expect = (
  order: OrderState,
  command: Extract<Command, { name: 'expect' }>,
  tsUtc: string,
) => {
  const stop = nextStopOf(order.status);
  const reported = order.expected?.reported;
  const report = command.report ?? (reported && { ...reported, known: null });
  if (report?.stop !== stop) {
    if (command.report) throw rejected(order, command);
    // an announcement was due of a stop that the order has passed
    return { change: { expectedDueAt: null }, isSilent: true };
  }
  const judged = judgeReport(order.expected, report!, tsUtc);
  if (judged === null) return { change: null };
  return {
    change: { expected: judged.expected, expectedDueAt: judged.dueAt },
    payload: { fields: [`${stop}_eta`] },
    isSilent: !judged.announces,
  };
};

const seal = (order: OrderState, command: Extract<Command, { name: 'seal' }>) => {
  const { sealIds } = command;
  const expected = Math.max(order.itemCount, 1);
  if (sealIds.length !== expected)
    throw invalid(
      ['seal_ids'],
      `the order takes exactly ${expected} seal${expected === 1 ? '' : 's'}, one for each item`,
      sealIds,
    );
  return { change: { sealIds }, payload: recordedPayload(command) };
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
