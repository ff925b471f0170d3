import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { call, partnerOf, startGatewayService } from './gateway-service.ts';

test('Retry-After is true, and what was refused meanwhile costs nothing', async () => {
  const under = await startGatewayService();
  try {
    const ping = `${under.baseUrls[0]}/ping`;
    const { key } = await partnerOf(under, { reads: 2 });
    const ask = () => call('GET', ping, { key });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const first = await ask();
    const seconds = Number(first.headers.get('retry-after'));
    const told = Date.now() + seconds * 1000;
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(61);
    for (let n = 0; n < 50; n++) expect((await ask()).status).toBe(429);
    const last = await ask();
    expect(last.headers.get('x-ratelimit-reset')).toBe(first.headers.get('x-ratelimit-reset'));
    await until(() => Date.now() >= told, { deadlineMs: 65_000, what: 'the time that was told' });
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe('1');
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  } finally {
    await under.stop();
  }
}, 90_000);
