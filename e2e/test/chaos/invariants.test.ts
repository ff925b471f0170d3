import { expect, test } from '@jest/globals';
import { check } from '../../chaos/invariants/check.ts';
import type { EndpointSeen, Observation, OrderSeen } from '../../chaos/observation.ts';
import { delivery, order, orderId, sound } from './a-sound-observation.ts';

/** Names of the invariants that the observation violates. */
const violated = (seen: Partial<Observation>): string[] => [
  ...new Set(check({ ...sound, ...seen }).map(({ invariant }) => invariant)),
];
const [slot] = sound.slots as [(typeof sound.slots)[number]];
const withOrder = (more: Partial<OrderSeen>) => violated({ orders: [{ ...order, ...more }] });
const withEndpoint = (more: Partial<EndpointSeen>) =>
  violated({ endpoints: [{ ...sound.endpoints[0]!, ...more }] });

test('a sound observation violates nothing', () => {
  expect(check(sound)).toEqual([]);
});

test.each<[string, Partial<Observation>]>([
  ['an order that is listed twice', { orders: [order, order] }],
  ['two ids for one key', { slots: [{ ...slot, ids: [orderId, 'another'] }] }],
  [
    'an order that nobody requested',
    { slots: [slot], orders: [order, { ...order, id: 'x', externalId: 'y' }] },
  ],
  ['a replay with other bytes', { slots: [{ ...slot, responses: ['{}', '{ }'] }] }],
])('%s violates that orders exist once', (_, seen) => {
  expect(violated(seen)).toContain('orders exist once');
});

test('an acknowledged order that is not listed is a violation', () => {
  expect(violated({ orders: [] })).toEqual(
    expect.arrayContaining(['orders exist once', 'histories are linearizable']),
  );
});

test('a final status that no command explains violates the history', () => {
  expect(withOrder({ status: 'ACCEPTED' })).toContain('histories are linearizable');
});

test('a sequence that no command explains violates the history', () => {
  expect(withOrder({ sequence: 4 })).toContain('histories are linearizable');
});

test.each<[string, Partial<OrderSeen>]>([
  ['an entry that is missing', { chain: order.chain.slice(0, 2) }],
  ['an altered entry', { chain: order.chain.with(1, { ...order.chain[1]!, payload: {} }) }],
  ['a status that the chain does not end in', { status: 'ACCEPTED' }],
  ['a proof without a trusted signature', { proof: 'consistent' }],
])('%s violates the chain', (_, more) => {
  expect(withOrder(more)).toContain('chains agree with orders');
});

const withOutcome = (n: number, outcome: (typeof slot.history)[number]['outcome'], mark?: string) =>
  violated({
    slots: [
      {
        ...slot,
        history: slot.history.with(n, {
          ...slot.history[n]!,
          outcome,
          ...(mark !== undefined && { mark }),
        }),
      },
    ],
  });

test('an entry of a rejected command, or of none, violates the chain', () => {
  expect(withOutcome(2, { kind: 'rejected' })).toContain('chains agree with orders');
  expect(withOutcome(2, { kind: 'unknown' }, 'another')).toContain('chains agree with orders');
});

test('an acknowledged command whose entry is at another place violates the chain', () => {
  const outcome = { kind: 'accepted', status: 'ASSIGNED', sequence: 2 } as const;
  expect(withOutcome(2, outcome)).toContain('chains agree with orders');
});

test.each<[string, Partial<EndpointSeen>]>([
  ['a missing event', { deliveries: [1, 2].map(delivery) }],
  ['an invented event', { deliveries: [1, 2, 3, 4].map(delivery) }],
  [
    'an event under two delivery ids',
    { deliveries: [...[1, 2, 3].map(delivery), { ...delivery(3), delivery: 'another' }] },
  ],
  [
    'a gap in the stream',
    { deliveries: [1, 2].map(delivery).concat({ ...delivery(3), stream: 4 }) },
  ],
  [
    'a number of two events',
    { deliveries: [1, 2].map(delivery).concat({ ...delivery(3), stream: 2 }) },
  ],
  [
    'an event with other bytes',
    { deliveries: [...[1, 2, 3].map(delivery), { ...delivery(3), bytes: 'other' }] },
  ],
  [
    'an unsigned delivery',
    { deliveries: [1, 2].map(delivery).concat({ ...delivery(3), signed: false }) },
  ],
])('%s violates the webhooks', (_, more) => {
  expect(withEndpoint(more)).toEqual(['webhooks are complete']);
});

test('a replay explains one more delivery id of its event, and not two', () => {
  const twice = [...[1, 2, 3].map(delivery), { ...delivery(3), delivery: 'replayed' }];
  expect(withEndpoint({ deliveries: twice, replays: 1 })).toEqual([]);
  const thrice = [...twice, { ...delivery(2), delivery: 'strange' }];
  expect(withEndpoint({ deliveries: thrice, replays: 1 })).toEqual(['webhooks are complete']);
});

test('a change that the next poll does not show violates the polls', () => {
  const [early] = sound.polls as [(typeof sound.polls)[number]];
  expect(violated({ polls: [early, { startedAt: 6, shown: {} }] })).toContain('polls miss nothing');
  const late = { startedAt: 9, shown: sound.polls[1]!.shown };
  expect(violated({ polls: [early, { startedAt: 6, shown: {} }, late] })).toEqual([
    'polls miss nothing',
  ]);
});

test('a walk that lacks an order or shows it twice violates the walks', () => {
  expect(violated({ walks: [{ startedAt: 6, ids: [] }] })).toEqual(['list walks are complete']);
  expect(violated({ walks: [{ startedAt: 6, ids: [orderId, orderId] }] })).toEqual([
    'list walks are complete',
  ]);
});

test('a process above the bound violates the memory', () => {
  const processes = [{ name: 'orders', pid: 1, rssMaxBytes: 2 ** 30 }];
  expect(violated({ processes })).toEqual(['no process grew']);
});

test.each<[keyof Observation, string]>([
  ['ledgerFaults', 'the ledger is valid'],
  ['deadLetters', 'no message is parked'],
  ['unexpected', 'responses are documented'],
  ['notConverged', 'the system converges'],
])('a line in %s is a violation', (member, invariant) => {
  expect(violated({ [member]: ['a line'] })).toEqual([invariant]);
});
