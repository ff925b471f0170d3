import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const limit = 10;

let under: GatewayUnderTest;
let base: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_REJECTED_PER_MINUTE: `${limit}` },
  });
  base = under.baseUrls[0]!;
});
afterAll(() => under.stop());

type Rejection = readonly [string, string, string, Parameters<typeof partnerOf>[1]];
const rejections: readonly Rejection[] = [
  ['404 of a path', 'GET', '/nowhere', {}],
  ['405', 'PUT', '/ping', {}],
  ['403 for a missing scope', 'POST', '/orders', { scopes: ['orders:read'] }],
  ['403 for a disabled organization', 'GET', '/orders', { disabled: true }],
  ['OPTIONS', 'OPTIONS', '/ping', {}],
];

test.each(rejections)('%s: at most the limit in 60 s, then 429', async (_, method, path, more) => {
  const { key } = await partnerOf(under, more);
  const found: number[] = [];
  for (let n = 0; n < limit + 3; n++) found.push((await call(method, base + path, { key })).status);
  expect(found.slice(0, limit)).not.toContain(429);
  expect(new Set(found.slice(0, limit)).size).toBe(1);
  const { status, headers, body } = await call(method, base + path, { key });
  expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(found.slice(limit)).toEqual([429, 429, 429]);
});

test('reads go on when the rejected requests are used up, and other keys are not limited', async () => {
  const { key } = await partnerOf(under, { reads: 20 });
  const other = await partnerOf(under);
  for (let n = 0; n < limit + 1; n++) await call('GET', `${base}/nowhere`, { key });
  expect((await call('GET', `${base}/nowhere`, { key })).status).toBe(429);
  const { status, headers } = await call('GET', `${base}/ping`, { key });
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '19']);
  expect((await call('GET', `${base}/nowhere`, { key: other.key })).status).toBe(404);
});

test('a request that spends reads or writes spends no rejected request', async () => {
  const { key } = await partnerOf(under, { reads: 100 });
  for (let n = 0; n < limit + 1; n++)
    expect((await call('GET', `${base}/orders/x`, { key })).status).toBe(422);
  expect((await call('GET', `${base}/nowhere`, { key })).status).toBe(404);
});
