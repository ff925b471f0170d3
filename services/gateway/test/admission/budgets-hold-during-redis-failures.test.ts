import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { redisBehindAWire } from '../redis-behind-a-wire.ts';
import { redisOfOurOwn } from '../redis-of-our-own.ts';

/** Added to an answer at most, whatever is the matter with Redis. */
const waitMaxMs = 500;

const inRedis = stores().redis === null || !stores().kafka ? describe.skip : describe;

inRedis('two replicas on one Redis of their own', () => {
  let under: GatewayUnderTest;
  let redis: Awaited<ReturnType<typeof redisOfOurOwn>>;
  let wire: Awaited<ReturnType<typeof redisBehindAWire>>;
  beforeAll(async () => {
    redis = await redisOfOurOwn();
    wire = await redisBehindAWire(redis.url);
    under = await startGatewayService({ replicas: 2, redisUrl: wire.url });
  });
  afterAll(async () => {
    redis.signal('SIGCONT');
    await under.stop();
    await wire.stop();
    await redis.stop();
  });

  const ping = (key: string, n: number, { baseUrls } = under) =>
    call('GET', `${baseUrls[n % 2]}/ping`, { key }).then(({ status }) => status);

  /** @returns how many of each status, and how long nine of ten took at most. */
  const ask = async (key: string, requests: number) => {
    const statuses: Record<number, number> = {};
    const took: number[] = [];
    for (let n = 0; n < requests; n++) {
      const begun = performance.now();
      const status = await ping(key, n);
      took.push(performance.now() - begun);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const nineOfTen = took.sort((a, b) => a - b)[Math.floor(requests * 0.9)]!;
    return { statuses, nineOfTen };
  };

  const isOneBudget = async () => {
    const { key } = await partnerOf(under, { reads: 3 });
    const { statuses } = await ask(key, 6);
    return statuses[200] === 3 && statuses[429] === 3;
  };

  test('with many requests at once on both replicas, exactly the limit passes', async () => {
    // without the wire, which this process delays when it is busy
    const gateway = await startGatewayService({ replicas: 2, redisUrl: redis.url });
    const { key } = await partnerOf(gateway, { reads: 200 });
    // one organization has 8 requests in flight in each replica (decision 56)
    const lanes = Array.from({ length: 16 }, async (_, n) => {
      const found: number[] = [];
      for (let asked = 0; asked < 32; asked++) found.push(await ping(key, n, gateway));
      return found;
    });
    const statuses = (await Promise.all(lanes)).flat();
    await gateway.stop();
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test.each<[string, () => void | Promise<void>, () => void | Promise<void>]>([
    [
      'out of memory',
      () => configure({ 'maxmemory-policy': 'noeviction', maxmemory: '1' }),
      () => configure({ maxmemory: '0' }),
    ],
    ['hung', () => redis.signal('SIGSTOP'), () => redis.signal('SIGCONT')],
  ])('%s: no 5xx, no long wait, and each replica keeps to its share', async (_, harm, restore) => {
    const { key } = await partnerOf(under, { reads: 10 });
    await harm();
    const { statuses, nineOfTen } = await ask(key, 30);
    expect(statuses).toEqual({ 200: 10, 429: 20 });
    expect(nineOfTen).toBeLessThan(waitMaxMs);
    await restore();
    await until(isOneBudget, { what: 'one budget over both again' });
  });

  test('killed, and started again with nothing in it: no 5xx, and then one budget again', async () => {
    const { key } = await partnerOf(under, { reads: 10 });
    redis.signal('SIGKILL');
    const { statuses, nineOfTen } = await ask(key, 30);
    expect(statuses).toEqual({ 200: 10, 429: 20 });
    expect(nineOfTen).toBeLessThan(waitMaxMs);
    await redis.stop();
    redis = await redisOfOurOwn();
    wire.aim(redis.url);
    await until(isOneBudget, { what: 'one budget over both again' });
  });

  const configure = async (values: Record<string, string>): Promise<void> => {
    const client = new Redis(redis.url);
    for (const [name, value] of Object.entries(values)) await client.config('SET', name, value);
    client.disconnect();
  };
});
