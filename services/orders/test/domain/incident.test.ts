import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { decide, noMetadata } from '../../src/domain/decide.ts';
import type { Command, OpenIncident, OrderState } from '../../src/domain/order.ts';

const orderWith = (
  openIncidents: readonly OpenIncident[],
  status: OrderState['status'] = 'SEALED',
): OrderState => ({
  status,
  itemCount: 1,
  transportOrganization: null,
  driver: null,
  cancelReason: null,
  sla: 'STANDARD',
  sequence: 6,
  lastEventAt: null,
  blocking: null,
  sealIds: [],
  requiredEvidence: {},
  recordedEvidence: {},
  openIncidents,
  codes: {},
  expected: null,
});
const decided = (order: OrderState, command: Command) =>
  decide(order, command, noMetadata, Date.now());
const failureOf = (order: OrderState, command: Command): unknown => {
  try {
    decided(order, command);
  } catch (error) {
    return error instanceof Failure ? error.details?.detail : error;
  }
  throw new Error('the command was accepted');
};

const open: readonly OpenIncident[] = [
  { entry: 3, kind: 'damage', severity: 'low' },
  { entry: 5, kind: 'escalation', severity: 'high' },
];

test('an incident is open with its kind and severity, which its entry states', () => {
  const { change, announcement } = decided(orderWith(open), {
    name: 'incident',
    note: 'The box is dented.',
    kind: 'damage',
    severity: 'high',
    asks: 'A second box',
    askedBy: 'Dr. Example',
  });
  expect(change).toEqual({
    openIncidents: [...open, { entry: 7, kind: 'damage', severity: 'high' }],
  });
  expect(announcement?.payload).toEqual({
    note: 'The box is dented.',
    ...{ kind: 'damage', severity: 'high', asks: 'A second box', asked_by: 'Dr. Example' },
  });
});

test.each(['SUBMITTED', 'IN_TRANSIT', 'CLOSED', 'CANCELLED'] as const)(
  'a further entry resolves one incident of an order that is %s, and leaves the others open',
  (status) => {
    const { change, announcement } = decided(orderWith(open, status), {
      ...{ name: 'resolve', incident: 3, note: 'n' },
    });
    expect(change).toEqual({ openIncidents: [open[1]] });
    expect(announcement).toMatchObject({
      ...{ type: 'order.updated', internalType: 'INCIDENT_RESOLVED' },
      payload: { incident: 3, note: 'n' },
    });
  },
);

test.each([
  ['of another entry', open, 4, '3, 5'],
  ['that was resolved', [], 3, 'none'],
] as const)(
  'an incident %s is not resolved, and the open ones are named',
  (_, of, entry, named) => {
    expect(failureOf(orderWith(of), { name: 'resolve', incident: entry, note: 'n' })).toMatchObject(
      [{ loc: ['incident'], input: entry, ctx: { error: expect.stringMatching(`: ${named}$`) } }],
    );
  },
);

const hundred = Array.from({ length: 100 }, (_, n) => ({
  ...{ entry: n + 1, kind: 'other', severity: 'low' as const },
}));

test('an order takes its hundredth open incident, and no further report', () => {
  const report = { name: 'incident', note: 'n' } as const;
  expect(decided(orderWith(hundred.slice(1)), report).change?.openIncidents).toHaveLength(100);
  expect(failureOf(orderWith(hundred), report)).toMatchObject([
    { ctx: { error: 'the order has 100 open incidents; resolve some first' } },
  ]);
});

test('an excursion is recorded whatever is open: nothing measured is lost', () => {
  const { change } = decided(orderWith(hundred), { name: 'excursion', payload: {} });
  expect(change?.openIncidents).toHaveLength(101);
});
