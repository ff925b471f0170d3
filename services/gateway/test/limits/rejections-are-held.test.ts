import { Agent, request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
afterEach(() => under.stop());

const start = async (hold: string) => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_REJECTION_HOLD: hold },
  });
  const { key } = await partnerOf(under, { reads: 1 });
  return key;
};
const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });

test('a 429 leaves when its hold is over, and tells when to come back', async () => {
  const key = await start('1s');
  expect((await ping(key)).status).toBe(200);
  const begun = Date.now();
  const rejected = await Promise.all([ping(key), ping(key)]);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(999); // Node's timers may be 1 ms early
  expect(rejected.map(({ status }) => status)).toEqual([429, 429]);
  expect(Number(rejected[0]!.headers.get('retry-after'))).toBeGreaterThan(30);
});

test('a hold ends with its connection', async () => {
  const key = await start('10m');
  expect((await ping(key)).status).toBe(200);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const sent = Array.from({ length: 50 }, () =>
    fetch(`${under.baseUrls[0]}/ping`, { headers, signal: gone.signal }).catch(() => 'gone'),
  );
  await until(() => timers() >= before + 50, { what: 'fifty rejections on hold' });
  gone.abort();
  expect(new Set(await Promise.all(sent))).toEqual(new Set(['gone']));
  await until(() => timers() < before + 25, { what: 'the end of the holds' });
});

test('a gateway that stops answers a rejected request at once', async () => {
  const key = await start('10m');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const status = () =>
    new Promise((resolve, reject) => {
      const options = { agent, headers: { authorization: `Bearer ${key}` } };
      request(`${under.baseUrls[0]}/ping`, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  expect(await status()).toBe(200);
  const stopped = under.gateways[0]!.stop();
  expect(await status()).toBe(429);
  await stopped;
});
