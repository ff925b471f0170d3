import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApiKey } from '@pto/access';
import { raw, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from './gateway-service.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    behind: {
      orders: {
        getOrder: async () => {
          throw new Error('svc_test_CANARY0 whsec_CANARY1 Bearer CANARY2');
        },
      },
    },
  });
});
afterAll(() => under.stop());

test('no log line contains keys, bodies, queries or ids of paths', async () => {
  const base = under.baseUrls[0]!;
  const { key } = await partnerOf(under);
  const unknown = newApiKey('sandbox');
  const canary = 'CANARY-0815';
  await call('GET', `${base}/ping?api_key=${key}&x=${canary}`, { key });
  await call('GET', `${base}/${canary}/${unknown}`, { key: unknown });
  await call('GET', `${base}/orders/${canary}`, { key });
  await call('POST', `${base}/orders`, { key, body: { notes: canary, reason: key } });
  await call('POST', `${base}/orders`, { key, body: `{"${canary}` });
  await call('GET', `${base}/ping`, { key, headers: { 'x-request-id': `${canary} {}` } });
  await call('GET', `${base}/orders/3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11`, { key });
  await raw(under.port, [`GET /${canary} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nx`]);
  const requests = () => under.logged.filter((line) => line.includes('"msg":"request"'));
  await until(() => requests().length >= 7, { what: 'a line for every request' });
  const all = under.logged.join('\n');
  for (const secret of [canary, key, key.slice(9), unknown, unknown.slice(9), 'CANARY'])
    expect(all).not.toContain(secret);
  expect(requests().map((line) => JSON.parse(line).route)).toContain('/orders/:order_id');
});

test("a caller's valid request id is logged and echoed", async () => {
  const base = under.baseUrls[0]!;
  const headers = { 'x-request-id': 'abc-1.2:3/4' };
  const kept = await call('GET', `${base}/ping`, { headers });
  expect(kept.headers.get('x-request-id')).toBe('abc-1.2:3/4');
  const made = await call('GET', `${base}/ping`, { headers: { 'x-request-id': 'a b"' } });
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  await until(() => under.logged.some((line) => line.includes('"requestId":"abc-1.2:3/4"')), {
    what: 'its line',
  });
});
