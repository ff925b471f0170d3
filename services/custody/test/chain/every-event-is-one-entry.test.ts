import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChain } from '@pto/custody-verifier';
import type { Entry } from '@pto/proto/custody/v1/custody';
import { until } from '@pto/testing';
import { Client } from 'pg';
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

/** As the gateway shows it to partners. */
const asPartnersSee = (entry: Entry) => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson ? JSON.parse(entry.payloadJson) : null,
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});

const read = async (orderId: string, organizationId: string, atLeastSequence: number) =>
  (await under.custody.listEvents({ orderId, organizationId, atLeastSequence })).entries;

test('many orders at once, each with a chain of its own that anybody can recompute', async () => {
  const organizationId = anOrganization();
  const orders = Array.from({ length: 30 }, () => {
    const orderId = anOrderId();
    return {
      orderId,
      events: eventsOf(orderId, organizationId, 7, { temperature: 1.5, reference: 'ä😀' }),
    };
  });
  for (let n = 0; n < 7; n++) await under.publish(orders.map(({ events }) => events[n]!));
  for (const { orderId, events } of orders) {
    const entries = await read(orderId, organizationId, 7);
    expect(entries.map((entry) => entry.id)).toEqual(events.map((event) => event.id));
    expect(entries.map((entry) => entry.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(verifyChain(orderId, entries.map(asPartnersSee)).valid).toBe(true);
  }
});

test('an event that comes again and again is one entry', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const events = eventsOf(orderId, organizationId, 3);
  for (const again of [1, 2, 3]) await under.publish(events.slice(0, again));
  await under.publish(events);
  const last = anOrderId();
  await under.publish(eventsOf(last, organizationId, 1));
  expect(await read(last, organizationId, 1)).toHaveLength(1);
  expect(await read(orderId, organizationId, 3)).toHaveLength(3);
});

test('an event that comes again after the inbox has forgotten it holds up nothing', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const events = eventsOf(orderId, organizationId, 5);
  await under.publish(events.slice(0, 3));
  expect(await read(orderId, organizationId, 3)).toHaveLength(3);
  const superuser = new Client({ connectionString: under.database.superuserUrl });
  await superuser.connect();
  const forget = () => superuser.query('delete from inbox');
  await forget();
  await under.publish([events[1]!, events[2]!, events[3]!]);
  expect(await read(orderId, organizationId, 4)).toHaveLength(4);

  // the same place and id, but another content: it is parked, and what follows waits behind it
  await forget();
  await under.publish([{ ...events[2]!, payloadJson: '{"reference":true}' }]);
  await until(
    async () => {
      const { rows } = await superuser.query(
        'select reason from dead_letters where event_id = $1',
        [events[2]!.id],
      );
      return rows.length === 1;
    },
    { what: 'the parked event' },
  );
  await superuser.end();
  const entries = await read(orderId, organizationId, 4);
  expect(entries.map(({ id }) => id)).toEqual(events.slice(0, 4).map(({ id }) => id));
  expect(verifyChain(orderId, entries.map(asPartnersSee)).valid).toBe(true);
});

test('a read waits for the entry that its caller knows to be on its way', async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  const reading = read(orderId, organizationId, 2);
  await under.publish(eventsOf(orderId, organizationId, 2));
  expect(await reading).toHaveLength(2);
});

test("another organization's chain is not found", async () => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  await under.publish(eventsOf(orderId, organizationId, 1));
  await read(orderId, organizationId, 1);
  await expect(read(orderId, anOrganization(), 1)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});
