import { expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { call, partnerOf, startGatewayService } from './gateway-service.ts';

/** Nobody else's here, so that the window in Redis is found by it. */
const limit = 7;

/** Most of a window's minute is over, for whoever shares it. */
const nearItsEnd = async (): Promise<void> => {
  const { redis } = stores();
  if (redis === null) return;
  const client = new Redis(redis);
  for (const name of await client.keys(`gateway:${limit}:*`)) await client.pexpire(name, 3000);
  client.disconnect();
};

test('Retry-After is true, and what was refused meanwhile costs nothing', async () => {
  const under = await startGatewayService();
  try {
    const ping = `${under.baseUrls[0]}/ping`;
    const { key } = await partnerOf(under, { reads: limit });
    const ask = () => call('GET', ping, { key });
    for (let n = 0; n < limit; n++) expect((await ask()).status).toBe(200);
    await nearItsEnd();
    const first = await ask();
    const seconds = Number(first.headers.get('retry-after'));
    const told = Date.now() + seconds * 1000;
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(61);
    for (let n = 0; n < 50; n++) expect((await ask()).status).toBe(429);
    const last = await ask();
    expect(last.headers.get('x-ratelimit-reset')).toBe(first.headers.get('x-ratelimit-reset'));
    await until(() => Date.now() >= told, { deadlineMs: 65_000, what: 'the time that was told' });
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe(`${limit - 1}`);
    for (let n = 1; n < limit; n++) expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  } finally {
    await under.stop();
  }
}, 90_000);
