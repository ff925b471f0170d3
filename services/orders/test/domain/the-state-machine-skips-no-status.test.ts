import { describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { orderStatuses } from '@pto/proto/vocabulary';
import fc from 'fast-check';
import { decide, noMetadata as nothing } from '../../src/domain/decide.ts';
import type { Command, OrderState, OrderStatus } from '../../src/domain/order.ts';

const now = Date.parse('2026-01-15T09:30:00.000Z');

const order = (status: OrderStatus, more: Partial<OrderState> = {}): OrderState => ({
  status,
  itemCount: 1,
  transportOrganization: 'Fast Couriers',
  driver: 'Kim',
  cancelReason: null,
  sla: 'STANDARD',
  sequence: 3,
  lastEventAt: '2026-01-15T09:00:00.000Z',
  blocking: null,
  sealIds: [],
  requiredEvidence: {},
  recordedEvidence: {},
  openIncidents: [],
  codes: {},
  expected: null,
  ...more,
});

const commands: readonly Command[] = [
  { name: 'submit' },
  { name: 'assign', transportOrganization: 'Fast Couriers' },
  { name: 'decline' },
  { name: 'accept' },
  { name: 'driver', driver: 'Kim' },
  { name: 'releaseDriver' },
  { name: 'startPickup' },
  { name: 'seal', sealIds: ['S-1'] },
  { name: 'startTransport' },
  { name: 'deliver' },
  { name: 'close' },
  { name: 'cancel', reason: 'no longer needed' },
];

/** Decisions, "Order states", written out once more by hand. */
const edges: readonly (readonly [OrderStatus, Command['name'], OrderStatus, string])[] = [
  ['DRAFT', 'submit', 'SUBMITTED', 'order.submitted'],
  ['SUBMITTED', 'assign', 'ASSIGNED', 'order.assigned'],
  ['ASSIGNED', 'decline', 'SUBMITTED', 'order.updated'],
  ['ASSIGNED', 'accept', 'ACCEPTED', 'order.accepted'],
  ['ACCEPTED', 'driver', 'DRIVER_ASSIGNED', 'order.driver_assigned'],
  ['DRIVER_ASSIGNED', 'releaseDriver', 'ACCEPTED', 'order.updated'],
  ['DRIVER_ASSIGNED', 'startPickup', 'PICKUP_STARTED', 'order.pickup_started'],
  ['PICKUP_STARTED', 'seal', 'SEALED', 'order.sealed'],
  ['SEALED', 'startTransport', 'IN_TRANSIT', 'order.in_transit'],
  ['IN_TRANSIT', 'deliver', 'DELIVERED', 'order.delivered'],
  ['DELIVERED', 'close', 'CLOSED', 'order.closed'],
  ['DRAFT', 'cancel', 'CANCELLED', 'order.cancelled'],
  ['SUBMITTED', 'cancel', 'CANCELLED', 'order.cancelled'],
  ['ASSIGNED', 'cancel', 'CANCELLED', 'order.cancelled'],
  ['ACCEPTED', 'cancel', 'CANCELLED', 'order.cancelled'],
  ['DRIVER_ASSIGNED', 'cancel', 'CANCELLED', 'order.cancelled'],
];

const every = orderStatuses.flatMap((status) =>
  commands.map((command) => [status, command.name, command] as const),
);

test.each(every)('%s, %s', (status, name, command) => {
  const edge = edges.find(([from, by]) => from === status && by === name);
  if (edge) {
    const { change, announcement } = decide(order(status), command, nothing, now);
    expect(change?.status).toBe(edge[2]);
    expect(announcement?.type).toBe(edge[3]);
    return;
  }
  const refused = name === 'cancel' ? 'CANCEL_NOT_ALLOWED' : 'ILLEGAL_TRANSITION';
  const failure = catching(() => decide(order(status), command, nothing, now));
  expect(failure.kind).toBe(refused);
  expect(failure.details?.status).toBe(status);
});

describe('custody begins at PICKUP_STARTED, and from then on the order cannot be cancelled', () => {
  test('the refusal names the event that began it', () => {
    const begun = decide(order('DRIVER_ASSIGNED'), { name: 'startPickup' }, nothing, now);
    const later = order('CLOSED', { blocking: begun.change!.blocking! });
    const cancel: Command = { name: 'cancel', reason: 'late' };
    expect(catching(() => decide(later, cancel, nothing, now)).details?.blocking_event).toEqual({
      type: 'order.pickup_started',
      ts_utc: '2026-01-15T09:30:00.000Z',
    });
  });

  test('cancelling twice with the same reason changes and announces nothing', () => {
    const cancelled = order('CANCELLED', { cancelReason: 'no longer needed' });
    const again = decide(cancelled, { name: 'cancel', reason: 'no longer needed' }, nothing, now);
    expect(again).toEqual({ change: null, announcement: null });
    const other: Command = { name: 'cancel', reason: 'another' };
    expect(catching(() => decide(cancelled, other, nothing, now)).kind).toBe('CANCEL_NOT_ALLOWED');
  });
});

describe('what does not move the status', () => {
  test('a change of a DRAFT has no event', () => {
    const update: Command = { name: 'update', priceTotal: '12.50' };
    const { change, announcement } = decide(order('DRAFT'), update, nothing, now);
    expect(change).toEqual({ priceTotal: '12.50' });
    expect(announcement).toBeNull();
  });

  test.each(['incident', 'escalate'] as const)('%s is refused for a DRAFT alone', (name) => {
    for (const status of orderStatuses) {
      const act = () => decide(order(status), { name, note: 'n' }, nothing, now);
      if (status === 'DRAFT') expect(catching(act).kind).toBe('ILLEGAL_TRANSITION');
      else expect(act().change?.status).toBeUndefined();
    }
  });

  test('an update states the names of changed fields, never their values', () => {
    const update: Command = { name: 'update', priceTotal: '99.99', notes: 'CANARY' };
    const { announcement } = decide(order('SUBMITTED'), update, nothing, now);
    expect(announcement?.payload).toEqual({ fields: ['price_total', 'notes'] });
  });
});

describe('one seal for each item', () => {
  test.each([
    [0, 0, false],
    [0, 1, true],
    [0, 2, false],
    [1, 1, true],
    [3, 2, false],
    [3, 3, true],
    [3, 4, false],
  ])('%i items and %i seals: %s', (itemCount, seals, accepted) => {
    const sealIds = Array.from({ length: seals }, (_, n) => `S-${n}`);
    const act = () =>
      decide(order('PICKUP_STARTED', { itemCount }), { name: 'seal', sealIds }, nothing, now);
    if (accepted) expect(act().announcement?.payload).toEqual({ seal_ids: sealIds });
    else expect(catching(act).kind).toBe('VALIDATION');
  });
});

test('any sequence of commands follows the transitions', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...commands), { maxLength: 60 }), (tries) => {
      let status: OrderStatus = 'DRAFT';
      for (const command of tries) {
        try {
          const decision = decide(order(status), command, nothing, now);
          const to: OrderStatus = decision.change?.status ?? status;
          const allowed = edges.some(([from, by, end]) => {
            return from === status && by === command.name && end === to;
          });
          expect(allowed).toBe(true);
          status = to;
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }
    }),
  );
});

const catching = (act: () => unknown): Failure => {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
