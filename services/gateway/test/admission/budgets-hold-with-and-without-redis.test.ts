import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stores, until } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';
import { redisBehindAWire } from '../redis-behind-a-wire.ts';

/** The time that an unavailable Redis adds to a response at most. */
const waitMaxMs = 500;

const statuses = async (under: GatewayUnderTest, key: string, requests: number) => {
  const found: number[] = [];
  for (let n = 0; n < requests; n++) {
    const base = under.baseUrls[n % under.baseUrls.length];
    found.push((await call('GET', `${base}/ping`, { key })).status);
  }
  return found;
};
const count = (of: readonly number[], status: number) => of.filter((one) => one === status).length;

const inRedis = stores().redis === null ? describe.skip : describe;

inRedis('two replicas on one Redis', () => {
  let under: GatewayUnderTest;
  let wire: Awaited<ReturnType<typeof redisBehindAWire>>;
  beforeAll(async () => {
    wire = await redisBehindAWire(stores().redis!);
    under = await startGatewayService({ replicas: 2, redisUrl: wire.url });
  });
  afterAll(async () => {
    await under.stop();
    await wire.stop();
  });

  /** Waits until both replicas count in Redis. */
  const haveOneBudget = () =>
    until(
      async () => {
        const { key } = await partnerOf(under, { reads: 5 });
        return count(await statuses(under, key, 10), 200) === 5;
      },
      { what: 'one budget over both replicas' },
    );

  test('a limit holds over both to the request', async () => {
    await haveOneBudget();
    const { key } = await partnerOf(under, { reads: 10 });
    const found = await statuses(under, key, 20);
    expect([count(found, 200), count(found, 429)]).toEqual([10, 10]);
  });

  test('cut and clogged: no 5xx, no long wait, and each replica keeps to its share', async () => {
    for (const harm of [wire.cut, wire.clog]) {
      const { key } = await partnerOf(under, { reads: 10 });
      harm();
      const begun = Date.now();
      const found = await statuses(under, key, 30);
      const each = (Date.now() - begun) / found.length;
      expect([count(found, 200), count(found, 429)]).toEqual([10, 20]);
      expect(each).toBeLessThan(waitMaxMs);
      wire.restore();
      await haveOneBudget();
    }
  });
});

describe('without any Redis', () => {
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await startGatewayService({ replicas: 2, redisUrl: '' });
  });
  afterAll(() => under.stop());

  test('the replicas share a limit between them', async () => {
    const { key } = await partnerOf(under, { reads: 10 });
    expect(count(await statuses(under, key, 30), 200)).toBe(10);
  });

  test.each([
    [11, 10],
    [3, 2],
    [1, 2], // a replica grants at least one, or the key could not be used
  ])('of a limit of %i, two replicas grant %i', async (reads, granted) => {
    const { key } = await partnerOf(under, { reads });
    expect(count(await statuses(under, key, 16), 200)).toBe(granted);
  });

  test('every answer to a good key shows the budget that it used', async () => {
    const { key } = await partnerOf(under, { reads: 20, writes: 8 });
    const base = under.baseUrls[0];
    const seen = async (...request: Parameters<typeof call>) => {
      const { status, headers } = await call(...request);
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`)),
      );
      const seconds = reset! - Date.now() / 1000;
      expect(seconds).toBeGreaterThan(-2); // an unused budget is full now
      expect(seconds).toBeLessThanOrEqual(61); // rounded up
      return [status, limit, remaining];
    };
    expect(await seen('GET', `${base}/ping`, { key })).toEqual([200, 20, 9]);
    expect(await seen('HEAD', `${base}/ping`, { key })).toEqual([200, 20, 8]);
    expect(await seen('GET', `${base}/nowhere`, { key })).toEqual([404, 20, 8]);
    expect(await seen('PUT', `${base}/ping`, { key })).toEqual([405, 8, 4]);
    const body = { key, body: 'x', headers: { 'content-type': 'text/plain' } };
    expect(await seen('POST', `${base}/orders`, body)).toEqual([415, 8, 3]);
    const large = { key, body: ' '.repeat(300_000) };
    expect(await seen('POST', `${base}/orders`, large)).toEqual([413, 8, 2]);
    expect(await seen('POST', `${base}/orders`, { key, body: '{' })).toEqual([422, 8, 1]);
    expect(await seen('POST', `${base}/orders`, { key, body: {} })).toEqual([422, 8, 0]);
    expect(await seen('POST', `${base}/orders`, { key, body: {} })).toEqual([429, 8, 0]);
    expect(await seen('GET', `${base}/orders/x`, { key })).toEqual([422, 20, 7]);
  });

  test('a 403 shows it too, and costs nothing', async () => {
    const base = under.baseUrls[0];
    const reader = await partnerOf(under, { scopes: ['orders:read'], writes: 8 });
    const disabled = await partnerOf(under, { disabled: true, writes: 8 });
    for (const { key } of [reader, disabled, reader, disabled]) {
      const { status, headers } = await call('POST', `${base}/orders`, { key, body: {} });
      expect(status).toBe(403);
      expect(headers.get('x-ratelimit-limit')).toBe('8');
      expect(headers.get('x-ratelimit-remaining')).toBe('4'); // the share of one replica
    }
  });

  test('over the limit: 429, and when to come back', async () => {
    const { key } = await partnerOf(under, { reads: 2 });
    const base = under.baseUrls[0];
    await call('GET', `${base}/ping`, { key });
    const { status, headers, body } = await call('GET', `${base}/ping`, { key });
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

test('failed credentials are throttled by address, and a good key passes all the same', async () => {
  const under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '5', GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  try {
    const ping = `${under.baseUrls[0]}/ping`;
    const { key } = await partnerOf(under);
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const found: number[] = [];
    for (let n = 0; n < 8; n++) found.push((await call('GET', ping, from('192.0.2.1'))).status);
    expect(found).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = await call('GET', ping, from('192.0.2.1'));
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await call('GET', ping, { key, ...from('192.0.2.1') })).status).toBe(200);
    expect((await call('GET', ping, from('192.0.2.2'))).status).toBe(401);
  } finally {
    await under.stop();
  }
});
