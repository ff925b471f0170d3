import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commitmentOf } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { rejectUndeclaredFields } from '../../src/chain/append.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';

let under: CustodyUnderTest;
beforeAll(async () => {
  under = await startCustodyService();
});
afterAll(() => under.stop());

const commitment = commitmentOf('driver', { value: 'R. Kern', salt: '1'.repeat(64) });
const rejection = (internalType: string, payload: object) => {
  const [event] = eventsOf(anOrderId(), anOrganization(), 1, payload);
  return () => rejectUndeclaredFields({ ...event!, internalType });
};

test.each([
  ['DRIVER_ASSIGNED', { driver: { commitment } }],
  ['DRIVER_RELEASED', { driver: null }],
  ['SEAL_APPLIED', { seal_ids: ['S-1'], reference: 'R-1', temperature: 4.5 }],
  ['TRANSPORT_STARTED', { place: { name: 'Berlin' }, person: { commitment } }],
  ['ORDER_CLOSED', {}],
])('%s may have %j', (internalType, payload) => {
  expect(rejection(internalType, payload)).not.toThrow();
});

test.each([
  ['DRIVER_ASSIGNED', { driver: 'R. Kern' }, /driver is personal, and not a commitment/],
  ['DRIVER_ASSIGNED', { driver: { commitment, name: 'R. Kern' } }, /not a commitment/],
  ['DRIVER_ASSIGNED', { driver: { commitment: 'R. Kern' } }, /not a commitment/],
  ['DRIVER_ASSIGNED', { driver: [{ commitment }] }, /not a commitment/],
  ['SEAL_APPLIED', { driver: { commitment } }, /SEAL_APPLIED.driver is not declared/],
  ['ORDER_CLOSED', { comment: 'x' }, /ORDER_CLOSED.comment is not declared/],
  ['ORDER_CLOSED', { constructor: 'x' }, /is not declared/],
  ['constructor', { name: 'x' }, /is not declared/],
  ['SEAL_APPLIED', { seal_ids: { commitment } }, /is open, and looks like a commitment/],
])('%s may not have %j', (internalType, payload, reason) => {
  expect(rejection(internalType, payload)).toThrow(reason);
});

test('an event with a plain personal value is parked, and the ledger has no entry of it', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const [event] = eventsOf(orderId, organizationId, 1, { note: 'R. Kern was late' });
  await under.publish([event!]);
  const superuser = new Client({ connectionString: under.database.superuserUrl });
  await superuser.connect();
  try {
    const parked = await until(
      async () => {
        const { rows } = await superuser.query(
          'select reason from dead_letters where event_id = $1',
          [event!.id],
        );
        return rows[0];
      },
      { what: 'the parked event' },
    );
    expect(parked.reason).toContain('note is personal');
    const { rows } = await superuser.query('select 1 from entries where order_id = $1', [orderId]);
    expect(rows).toEqual([]);
  } finally {
    await superuser.end();
  }
});
