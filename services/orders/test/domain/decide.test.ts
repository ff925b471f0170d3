import { describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { decide, noMetadata } from '../../src/domain/decide.ts';
import type { Command, OrderState, OrderStatus } from '../../src/domain/order.ts';

const tsUtc = '2026-01-15T09:30:00.000Z';

const orderIn = (status: OrderStatus, more: Partial<OrderState> = {}): OrderState => ({
  status,
  itemCount: 2,
  transportOrganization: 'Fast Couriers',
  driver: 'Kim',
  cancelReason: null,
  sla: 'EXPRESS',
  sequence: 3,
  lastEventAt: null,
  blocking: null,
  sealIds: [],
  requiredEvidence: {},
  recordedEvidence: {},
  openIncidents: [],
  codes: {},
  expected: null,
  ...more,
});

const decideAt = (order: OrderState, command: Command) =>
  decide(order, command, noMetadata, Date.parse(tsUtc));

/** The failure that the command throws. */
const failureOf = (order: OrderState, command: Command): Failure => {
  try {
    decideAt(order, command);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the command was accepted');
};

const sealIds = ['S-1', 'S-2'];
/** The change by an incident, whose entry is the order's next one. */
const opened = (kind: string, severity: string) => ({
  openIncidents: [{ entry: 4, kind, severity }],
});
const handover = {
  stage: 'pickup',
  from: { party: 'Klinikum', role: 'shipper', person: null },
  to: { party: 'Blutkurier', role: 'carrier', person: null },
  methods: ['pin'],
  ...{ scannedSealIds: null, artifact: null },
} as const;
const accepted: readonly [OrderStatus, Command, change: object, payload: object | null, string][] =
  [
    [
      'DRAFT',
      { name: 'submit' },
      { status: 'SUBMITTED' },
      { sla: 'EXPRESS', item_count: 2 },
      'ORDER_SUBMITTED',
    ],
    [
      'SUBMITTED',
      { name: 'assign', transportOrganization: 'B' },
      { status: 'ASSIGNED', transportOrganization: 'B', carrierId: null },
      { transport_organization: 'B' },
      'ORDER_ASSIGNED',
    ],
    [
      'ASSIGNED',
      { name: 'decline' },
      { status: 'SUBMITTED', transportOrganization: null, carrierId: null },
      { transport_organization: 'Fast Couriers' },
      'ASSIGNMENT_DECLINED',
    ],
    ['ASSIGNED', { name: 'accept' }, { status: 'ACCEPTED' }, null, 'ORDER_ACCEPTED'],
    [
      'ACCEPTED',
      { name: 'driver', driver: 'Robin' },
      { status: 'DRIVER_ASSIGNED', driver: 'Robin', driverId: null },
      { driver: 'Robin' },
      'DRIVER_ASSIGNED',
    ],
    [
      'DRIVER_ASSIGNED',
      { name: 'releaseDriver' },
      {
        ...{ status: 'ACCEPTED', driver: null, driverId: null },
        ...{ expected: null, expectedDueAt: null },
      },
      { driver: 'Kim' },
      'DRIVER_RELEASED',
    ],
    [
      'DRIVER_ASSIGNED',
      { name: 'startPickup' },
      { status: 'PICKUP_STARTED', blocking: { type: 'order.pickup_started', ts_utc: tsUtc } },
      null,
      'PICKUP_STARTED',
    ],
    [
      'PICKUP_STARTED',
      { name: 'seal', sealIds },
      { status: 'SEALED', sealIds },
      { seal_ids: sealIds },
      'SEAL_APPLIED',
    ],
    [
      'SEALED',
      { name: 'startTransport' },
      { status: 'IN_TRANSIT', expected: { departed: tsUtc } },
      null,
      'TRANSPORT_STARTED',
    ],
    [
      'IN_TRANSIT',
      { name: 'deliver' },
      { status: 'DELIVERED', deliveredAt: tsUtc, heldBy: null, expectedDueAt: null },
      null,
      'CUSTODY_TRANSFERRED',
    ],
    ['DELIVERED', { name: 'close' }, { status: 'CLOSED' }, null, 'ORDER_CLOSED'],
    [
      'ACCEPTED',
      { name: 'cancel', reason: 'no longer needed' },
      {
        status: 'CANCELLED',
        cancelReason: 'no longer needed',
        blocking: { type: 'order.cancelled', ts_utc: tsUtc },
        expectedDueAt: null,
      },
      { cancelled_from: 'ACCEPTED' },
      'ORDER_CANCELLED',
    ],
    [
      'SEALED',
      { name: 'incident', note: 'n' },
      opened('other', 'medium'),
      { note: 'n' },
      'INCIDENT_REPORTED',
    ],
    [
      'SEALED',
      { name: 'escalate', note: 'n' },
      opened('escalation', 'high'),
      { note: 'n' },
      'ORDER_ESCALATED',
    ],
    [
      'SEALED',
      { name: 'update', notes: 'n' },
      { notes: 'n' },
      { fields: ['notes'] },
      'ORDER_UPDATED',
    ],
    [
      'SEALED',
      { name: 'update', priceTotal: '1.00' },
      { priceTotal: '1.00' },
      { fields: ['price_total'] },
      'ORDER_UPDATED',
    ],
    [
      'SEALED',
      { name: 'handover', handover },
      { recordedEvidence: { pickup: ['pin'] }, heldBy: 'Blutkurier' },
      { v: 'handover/1', stage: 'pickup', methods: ['pin'] },
      'HANDOVER_RECORDED',
    ],
    [
      'SEALED',
      {
        name: 'sealMismatch',
        stage: 'pickup',
        difference: { missing: ['S-1'], unexpected: ['S-9'] },
      },
      opened('seal', 'high'),
      {
        ...{ v: 'handover/1', stage: 'pickup' },
        ...{ missing_seal_ids: ['S-1'], unexpected_seal_ids: ['S-9'] },
      },
      'SEAL_MISMATCH',
    ],
    ['SUBMITTED', { name: 'condition', payload: { v: 1 } }, {}, { v: 1 }, 'CONDITION_RECORDED'],
    [
      'DELIVERED',
      { name: 'excursion', payload: { v: 1 } },
      opened('temperature', 'high'),
      { v: 1 },
      'TEMPERATURE_EXCURSION',
    ],
    [
      'CLOSED',
      { name: 'erase', erased: { driver: [4], note: [5] } },
      { driver: null, driverId: null },
      { erased: { driver: [4], note: [5] } },
      'PERSONAL_DATA_ERASED',
    ],
    [
      'CANCELLED',
      { name: 'erase', erased: { note: [5] } },
      {},
      { erased: { note: [5] } },
      'PERSONAL_DATA_ERASED',
    ],
  ];

describe('an accepted command decides the change, the payload and the internal type', () => {
  test.each(accepted)('%s, %j', (status, command, change, payload, internalType) => {
    const decision = decideAt(orderIn(status), command);
    expect(decision.change).toStrictEqual(change);
    expect(decision.announcement).toMatchObject({ internalType, payload, tsUtc });
  });

  test('the submission of a DRAFT is announced', () => {
    const { announcement } = decideAt(orderIn('DRAFT'), { name: 'submit' });
    expect(announcement?.type).toBe('order.submitted');
  });

  test.each([
    ['incident', 'order.incident_reported'],
    ['escalate', 'order.escalated'],
  ] as const)('%s is announced as %s', (name, type) => {
    const { announcement } = decideAt(orderIn('CANCELLED'), { name, note: 'n' });
    expect(announcement?.type).toBe(type);
  });

  test('an update of an announced order is announced as order.updated', () => {
    const { announcement } = decideAt(orderIn('CLOSED'), { name: 'update', notes: 'n' });
    expect(announcement?.type).toBe('order.updated');
  });
});

describe('a rejected command states why', () => {
  test.each(['condition', 'excursion'] as const)('%s of a DRAFT or an ended order', (name) => {
    for (const status of ['DRAFT', 'CLOSED', 'CANCELLED'] as const)
      expect(failureOf(orderIn(status), { name, payload: {} })).toMatchObject({
        kind: 'ILLEGAL_TRANSITION',
        details: { status, target: status },
      });
  });

  test('a command without its evidence states the status that it would lead to', () => {
    const order = orderIn('SEALED', { requiredEvidence: { pickup: ['photo'] } });
    expect(failureOf(order, { name: 'startTransport' }).details).toEqual({
      ...{ status: 'SEALED', target: 'IN_TRANSIT' },
      missing_evidence: { pickup: ['photo'] },
    });
  });

  test('a command of another status states both statuses', () => {
    const failure = failureOf(orderIn('DRAFT'), { name: 'deliver' });
    expect(failure.message).toBe('The order is DRAFT; it cannot become DELIVERED.');
    expect(failure.details).toEqual({ status: 'DRAFT', target: 'DELIVERED' });
  });

  test('a command that does not move the status states its name', () => {
    const failure = failureOf(orderIn('DRAFT'), { name: 'incident', note: 'n' });
    expect(failure.message).toBe('The order is DRAFT; incident is not possible.');
    expect(failure.details).toEqual({ status: 'DRAFT', target: 'DRAFT' });
  });

  test('a cancellation states the event that prevents it', () => {
    const blocking = { type: 'order.pickup_started', ts_utc: tsUtc } as const;
    const failure = failureOf(orderIn('SEALED', { blocking }), { name: 'cancel', reason: 'r' });
    expect(failure.message).toBe('The order is SEALED and cannot become CANCELLED.');
    expect(failure.details).toEqual({
      status: 'SEALED',
      target: 'CANCELLED',
      blocking_event: blocking,
    });
  });

  test('a rejected cancellation says whether the order was cancelled already', () => {
    const cancelled = orderIn('CANCELLED', { cancelReason: 'other' });
    expect(failureOf(cancelled, { name: 'cancel', reason: 'r' }).message).toBe(
      'The order was cancelled with another reason.',
    );
    expect(failureOf(orderIn('CLOSED'), { name: 'cancel', reason: 'r' }).message).toBe(
      'The order is CLOSED and cannot become CANCELLED.',
    );
  });

  test('an order that is not CANCELLED takes no cancellation with a stored reason as a repetition', () => {
    const order = orderIn('CLOSED', { cancelReason: 'r' });
    expect(failureOf(order, { name: 'cancel', reason: 'r' }).kind).toBe('CANCEL_NOT_ALLOWED');
  });

  test.each([
    [0, 'the order takes exactly 1 seal, one for each item'],
    [1, 'the order takes exactly 1 seal, one for each item'],
    [3, 'the order takes exactly 3 seals, one for each item'],
  ])('an order of %i items with 2 seals: %s', (itemCount, error) => {
    const order = orderIn('PICKUP_STARTED', { itemCount });
    expect(failureOf(order, { name: 'seal', sealIds }).details?.detail).toMatchObject([
      { loc: ['seal_ids'], input: sealIds, ctx: { error } },
    ]);
  });

  test('an update without a field names what is missing', () => {
    expect(failureOf(orderIn('SEALED'), { name: 'update' }).details?.detail).toMatchObject([
      { loc: ['update'], ctx: { error: 'name at least one field to change' } },
    ]);
  });
});

test('a command without payload members of its own has those of its metadata', () => {
  const payload = { temperature: 4 };
  const { announcement } = decide(
    orderIn('ASSIGNED'),
    { name: 'accept' },
    { ...noMetadata, payload },
    Date.parse(tsUtc),
  );
  expect(announcement?.payload).toEqual(payload);
});
