import { expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { call, partnerOf, startGatewayService } from '../gateway-service.ts';

const limit = 7;

/**
 * Moves the granted requests back in Redis, so that the test waits 3 s and no minute. Returns the
 * seconds by which they moved.
 */
const moveBack = async (keyId: string, seconds: number): Promise<number> => {
  const { redis } = stores();
  if (redis === null) return 0;
  const client = new Redis(redis);
  const name = `gateway:budget:reads:${keyId}`;
  const times = await client.lrange(name, 0, -1);
  await client.del(name);
  await client.rpush(name, ...times.map((time) => `${Number(time) - seconds * 1_000_000}`));
  client.disconnect();
  return seconds;
};

test('Retry-After is true, and what was refused meanwhile costs nothing', async () => {
  const under = await startGatewayService();
  try {
    const ping = `${under.baseUrls[0]}/ping`;
    const { key, keyId } = await partnerOf(under, { reads: limit });
    const ask = () => call('GET', ping, { key });
    for (let n = 0; n < limit; n++) expect((await ask()).status).toBe(200);
    const first = await ask();
    for (let n = 0; n < 50; n++) expect((await ask()).status).toBe(429);
    const skipped = await moveBack(keyId, Number((await ask()).headers.get('retry-after')) - 3);
    const last = await ask();
    const seconds = Number(last.headers.get('retry-after'));
    const told = Date.now() + seconds * 1000;
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    const reset = Number(last.headers.get('x-ratelimit-reset'));
    const expected = Number(first.headers.get('x-ratelimit-reset')) - skipped;
    expect(Math.abs(reset - expected)).toBeLessThanOrEqual(1);
    await until(() => Date.now() >= told, { deadlineMs: 65_000, what: 'the time of Retry-After' });
    expect((await ask()).status).toBe(200);
    await until(() => Date.now() >= reset * 1000, { deadlineMs: 65_000, what: 'the reset' });
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe(`${limit - 2}`);
    for (let n = 2; n < limit; n++) expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  } finally {
    await under.stop();
  }
}, 90_000);
