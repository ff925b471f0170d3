import { Agent, request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
afterEach(() => under.stop());

const start = async (hold: string, reads = 1) => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_REJECTION_HOLD: hold },
  });
  const { key } = await partnerOf(under, { reads });
  return key;
};
const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });

/** Asks on a connection of the agent. */
const status = (agent: Agent, key: string) =>
  new Promise((resolve, reject) => {
    const options = { agent, headers: { authorization: `Bearer ${key}` } };
    request(`${under.baseUrls[0]}/ping`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });

test('a 429 leaves when its hold is over, and tells when to come back', async () => {
  const key = await start('1s');
  expect((await ping(key)).status).toBe(200);
  const begun = Date.now();
  const rejected = await Promise.all([ping(key), ping(key)]);
  expect(Date.now() - begun).toBeGreaterThan(950); // timers and clocks round
  expect(rejected.map(({ status }) => status)).toEqual([429, 429]);
  expect(Number(rejected[0]!.headers.get('retry-after'))).toBeGreaterThan(30);
});

test('a hold ends with its connection', async () => {
  const count = 50;
  const key = await start('10m', count);
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const all = () => Array.from({ length: count }, () => status(agent, key).catch(() => 'gone'));
  expect(new Set(await Promise.all(all()))).toEqual(new Set([200]));
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers(); // those of the connections among them
  const held = all();
  await until(() => timers() >= before + count, { what: 'fifty rejections on hold' });
  agent.destroy();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['gone']));
  await until(() => timers() <= before, { what: 'the end of the holds' });
});

test('a gateway that stops answers a rejected request at once', async () => {
  const key = await start('10m');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await status(agent, key)).toBe(200);
  const stopped = under.gateways[0]!.stop();
  expect(await status(agent, key)).toBe(429);
  await stopped;
});
