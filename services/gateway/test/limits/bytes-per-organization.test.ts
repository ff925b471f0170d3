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

test('requests run beside each other while what they are expected to cost is within the burst', () => {
  const [budgets, kibibyte] = [createByteBudgets(1000, 1024 * 1024), 1024];
  const begun = Array.from({ length: 17 }, () => budgets.begin('a', 0)); // 64 KiB each
  expect(begun).toEqual([...Array(16).fill(true), false]);
  for (const _ of begun) budgets.end('a', null, 0);
  budgets.begin('a', 0);
  budgets.end('a', 400 * kibibyte, 0);
  // 400 KiB are charged: one more beside it would be expected to exceed 1 MiB
  expect([budgets.begin('a', 0), budgets.begin('a', 0)]).toEqual([true, false]);
  budgets.end('a', null, 0);
  budgets.end('a', null, 0);
  // all is paid and forgotten
  expect([budgets.begin('a', 1e7), budgets.begin('a', 1e7)]).toEqual([true, true]);
  expect(budgets.begin('b', 0)).toBe(true);
});

test('a debt is paid by waiting, and what was not used is not saved up', () => {
  const budgets = createByteBudgets(1000, 4000);
  const use = (bytes: number, now: number) => {
    const mayRun = budgets.begin('a', now);
    budgets.end('a', bytes, now);
    return mayRun;
  };
  expect(use(5500, 0)).toBe(true);
  expect([use(0, 0), budgets.waitMs('a', 0)]).toEqual([false, 1500]);
  expect([use(0, 1499), budgets.waitMs('a', 1499)]).toEqual([false, 1]);
  expect([use(0, 1500), budgets.waitMs('a', 1500)]).toEqual([true, 0]);
  expect(use(4001, 1e9)).toBe(true);
  expect(use(0, 1e9)).toBe(false);
});
