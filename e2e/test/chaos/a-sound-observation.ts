/** An observation that keeps every invariant: one order with three events. */
import { type ChainEntry, entryHash, genesisHash } from '@pto/custody-verifier';
import type { DeliverySeen, Observation, OrderSeen } from '../../chaos/observation.ts';

export const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const updatedAt = '2030-01-01T00:00:03.000Z';

const entries = [
  ['order.submitted', 'ORDER_SUBMITTED', null],
  ['order.assigned', 'ORDER_ASSIGNED', { reference: 'assign 1' }],
  ['order.incident_reported', 'INCIDENT_REPORTED', { reference: 'incident 2' }],
] as const;

const chain: ChainEntry[] = [];
for (const [n, [type, internal_type, payload]] of entries.entries()) {
  const bare = {
    id: `b7d0d3c4-0a55-4c3e-8a1f-5f1f7b2f9d0${n}`,
    type,
    internal_type,
    ts_utc: `2030-01-01T00:00:0${n + 1}.000Z`,
    gps_lat: null,
    gps_lng: null,
    payload,
    prev_event_hash: chain.at(-1)?.event_hash ?? genesisHash(orderId),
  };
  chain.push({ ...bare, event_hash: entryHash(orderId, bare as never) });
}

export const order: OrderSeen = {
  id: orderId,
  externalId: 'slot-0',
  status: 'ASSIGNED',
  updatedAt,
  sequence: 3,
  chain: chain as never,
  proof: 'proven',
};

export const delivery = (n: number): DeliverySeen => ({
  delivery: `delivery ${n}`,
  orderId,
  sequence: n,
  stream: n,
  signed: true,
  bytes: `bytes ${n}`,
});

export const sound: Observation = {
  slots: [
    {
      name: 'slot-0',
      ids: [orderId, orderId],
      responses: ['{}', '{}'],
      history: [
        {
          action: 'create',
          mark: 'create 0',
          invokedAt: 0,
          returnedAt: 1,
          outcome: { kind: 'accepted' },
        },
        {
          action: 'assign',
          mark: 'assign 1',
          invokedAt: 2,
          returnedAt: 3,
          outcome: { kind: 'accepted', status: 'ASSIGNED', sequence: 2 },
        },
        {
          action: 'incident',
          mark: 'incident 2',
          invokedAt: 4,
          returnedAt: 5,
          outcome: { kind: 'accepted', status: 'ASSIGNED', sequence: 3 },
        },
      ],
    },
  ],
  orders: [order],
  endpoints: [
    {
      name: 'an endpoint',
      deliveries: [1, 2, 3, 3].map(delivery),
      replays: 0,
      recovered: false,
    },
  ],
  polls: [
    { startedAt: 2, shown: { [orderId]: '2030-01-01T00:00:01.000Z' } },
    { startedAt: 6, shown: { [orderId]: updatedAt } },
  ],
  walks: [{ startedAt: 6, ids: [orderId] }],
  changes: [
    { orderId, updatedAt: '2030-01-01T00:00:01.000Z', returnedAt: 1 },
    { orderId, updatedAt, returnedAt: 5 },
  ],
  processes: [{ name: 'orders', pid: 1, rssMaxBytes: 150 * 2 ** 20 }],
  ledgerFaults: [],
  deadLetters: [],
  unexpected: [],
  notConverged: [],
};
