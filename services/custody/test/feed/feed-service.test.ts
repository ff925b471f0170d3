import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
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

const page = (organizationId: string, after = 0) =>
  under.custody.listOrganizationEvents({ organizationId, after: BigInt(after), limit: 100 });
const wait = (organizationId: string, logSize: bigint, options = {}) =>
  under.custody.waitForOrganizationEvents({ organizationId, logSize, waitMs: 20_000 }, options);

test('a wait ends when the entries have their leaves, and the page carries them with their orders', async () => {
  const [organizationId, orderId] = [anOrganization(), anOrderId()];
  const empty = await page(organizationId);
  expect(empty).toMatchObject({ events: [], hasMore: false });
  const found = wait(organizationId, empty.logSize);
  const events = eventsOf(orderId, organizationId, 3, { reference: 'r' });
  events[0]!.order = { ...events[0]!.order!, externalId: 'A-1' };
  await under.publish(events);
  expect(await found).toMatchObject({ found: true });
  const listed = await until(
    async () => {
      const read = await page(organizationId);
      return read.events.length === 3 && read;
    },
    { what: 'three events' },
  );
  const chain = await under.custody.listEvents({ orderId, organizationId, atLeastSequence: 3 });
  expect(
    listed.events.map(({ id, type, tsUtc, sequence, eventHash, prevEventHash }) => [
      id,
      type,
      tsUtc,
      sequence,
      eventHash,
      prevEventHash,
    ]),
  ).toEqual(
    chain.entries.map(({ id, type, tsUtc, sequence, eventHash, prevEventHash }) => [
      id,
      type,
      tsUtc,
      sequence,
      eventHash,
      prevEventHash,
    ]),
  );
  expect(listed.events[0]).toMatchObject({
    number: 1n,
    orderId,
    externalId: 'A-1',
    orderStatus: 'SUBMITTED',
    orderUpdatedAt: '2026-01-15T09:30:00.000Z',
  });
  expect(listed.events[1]!.externalId).toBeUndefined();
  // the log has the entry at its leaf
  const { tile } = await until(
    async () => {
      const request = { index: 0n, width: Number(listed.events[2]!.leafIndex) + 1, entries: true };
      return under.log.getTile(request).catch(() => null);
    },
    { what: 'a checkpoint over the page' },
  );
  const { leafIndex, eventHash } = listed.events[2]!;
  const at = Number(leafIndex) * 34 + 2;
  expect(
    Buffer.from(tile)
      .subarray(at, at + 32)
      .toString('hex'),
  ).toBe(eventHash);
  const { note } = await under.log.getCheckpoint({});
  await until(async () => (await page(organizationId)).checkpoint === note, {
    what: 'the newest checkpoint in the page',
  });
});

test('a caller that hangs up ends its wait', async () => {
  const organizationId = anOrganization();
  const { logSize } = await page(organizationId);
  const gone = new AbortController();
  const waiting = wait(organizationId, logSize, { signal: gone.signal });
  const ended = waiting.then(
    () => 'answered',
    () => 'ended',
  );
  gone.abort();
  expect(await ended).toBe('ended');
});

test('a stop ends the waits at once, without entries', async () => {
  const stopping = await startCustodyService();
  const organizationId = anOrganization();
  const request = { organizationId, waitMs: 25_000 };
  const waiting = Array.from({ length: 20 }, () =>
    stopping.custody.waitForOrganizationEvents(request),
  );
  // the server has the calls when it answers a later one
  await stopping.custody.listOrganizationEvents({ organizationId, limit: 1 });
  const begun = performance.now();
  const stopped = stopping.stop();
  const results = await Promise.allSettled(waiting);
  expect(performance.now() - begun).toBeLessThan(5000);
  for (const result of results)
    if (result.status === 'fulfilled') expect(result.value.found).toBe(false);
  await stopped;
}, 30_000);
