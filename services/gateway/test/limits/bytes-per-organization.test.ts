import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { createByteBudgets } from '../../src/limits/byte-budget.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const bytesPerSecond = 100_000;

let under: GatewayUnderTest;
let running = 0;
let runningMax = 0;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_BYTES_PER_SECOND: `${bytesPerSecond}` },
    behind: {
      locations: {
        // a page of about 30 kB
        listLocations: async () => {
          runningMax = Math.max(runningMax, ++running);
          await new Promise((resolve) => setTimeout(resolve, 5)); // as long as a statement
          running--;
          return { locations: [{ label: 'L'.repeat(30_000) }], nextId: '' };
        },
      },
    },
  });
});
afterAll(() => under.stop());

const list = (key: string) => call('GET', `${under.baseUrls[0]}/locations`, { key });
const create = (key: string, bytes: number) =>
  call('POST', `${under.baseUrls[0]}/orders`, {
    key,
    body: { notes: 'n'.repeat(bytes) },
    headers: { 'Idempotency-Key': 'k' },
  });

test('beyond its burst an organization runs one request at a time, and others are not affected', async () => {
  const hostile = await partnerOf(under);
  const calm = await partnerOf(under);
  const eight = () => Promise.all(Array.from({ length: 8 }, () => list(hostile.key)));
  const rejected = await until(
    async () => (await eight()).find(({ status }) => status === 429),
    { what: 'the end of the burst' }, // 400 kB, which is 14 pages
  );
  expect(rejected.body.error.code).toBe('RATE_LIMITED');
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  runningMax = 0;
  const statuses = (await eight()).map(({ status }) => status);
  expect(runningMax).toBe(1);
  expect(statuses).toContain(200);
  expect(statuses).toContain(429);
  expect(await under.metrics()).toMatch(/gateway_byte_rejections_total\{service="gateway"\} [1-9]/);

  const begun = Date.now();
  for (let n = 0; n < 5; n++) expect((await list(calm.key)).status).toBe(200);
  expect(Date.now() - begun).toBeLessThan(900);
});

test('a received byte weighs eight sent ones, and a rejected body counts', async () => {
  const { key } = await partnerOf(under);
  expect((await create(key, 200_000)).status).toBe(422); // 1.6 MB: 12 s of debt
  await until(async () => (await list(key)).status === 429, { what: 'a rejection' });
  expect(Number((await list(key)).headers.get('retry-after'))).toBeGreaterThan(8);
});

test('the budget drains evenly, and the burst returns when half of it is free', () => {
  const budgets = createByteBudgets(1000, 4000);
  budgets.charge('a', 4000, 0);
  expect([budgets.isOver('a', 0), budgets.waitMs('a', 0)]).toEqual([false, 0]);
  budgets.charge('a', 1500, 0);
  expect([budgets.isOver('a', 0), budgets.waitMs('a', 0)]).toEqual([true, 1500]);
  expect([budgets.isOver('b', 0), budgets.waitMs('b', 0)]).toEqual([false, 0]);
  expect([budgets.isOver('a', 1500), budgets.waitMs('a', 1500)]).toEqual([true, 0]);
  expect(budgets.isOver('a', 3400)).toBe(true);
  expect(budgets.isOver('a', 3500)).toBe(false);
  expect(budgets.isOver('a', 1e9)).toBe(false);
  budgets.charge('a', 4000, 1e9); // what was not used is not saved up
  expect(budgets.isOver('a', 1e9)).toBe(false);
});
