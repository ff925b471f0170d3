import { afterEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { call, type GatewayUnderTest, startGatewayService } from '../../gateway-service.ts';
import { raw, statusesIn } from '../../raw-http.ts';
import { blockedKey, rejectionLines, reported, untilReported, withRedis } from './blocked-key.ts';

withRedis('requests that are answered ahead of the app', () => {
  let under: GatewayUnderTest;
  afterEach(() => under.stop());

  const start = async (environment: Record<string, string> = {}) => {
    under = await startGatewayService({ environment });
    return blockedKey(under);
  };
  const ping = (key: string) => call('GET', `${under.baseUrls[0]}/ping`, { key });
  const counted = async (status: number): Promise<number> => {
    const labels = `method="GET",route="/ping",status="${status}"`;
    const lines = (await under.metrics()).split('\n');
    const line = lines.find(
      (one) => one.startsWith('http_server_seconds_count') && one.includes(labels),
    );
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  test('are in the metrics one by one, and in the log together', async () => {
    const { key, keyId, organizationId } = await start();
    const before = await counted(429);
    for (let n = 0; n < 40; n++) expect((await ping(key)).status).toBe(429);
    await untilReported(under, keyId, 30);
    expect((await counted(429)) - before).toBe(40);
    const byApp = under.logged.filter((line) => line.includes(keyId) && line.includes('"request"'));
    const pings = byApp.filter((line) => line.includes('"GET"') && line.includes(':429,'));
    expect(reported(under, keyId) + pings.length).toBe(before + 40);
    const lines = rejectionLines(under, keyId);
    expect(lines.length).toBeLessThan(40);
    const same = { method: 'GET', route: '/ping', status: 429, keyId, organizationId };
    for (const line of lines) expect(line).toMatchObject(same);
  });

  test('leave after the hold, and their connections close with it', async () => {
    const { key, keyId } = await start({ GATEWAY_REJECTION_HOLD: '1s' });
    const begun = Date.now();
    expect((await ping(key)).status).toBe(429);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(999); // Node's timers may be 1 ms early
    const request = `GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    expect(await raw(under.port, [request], { deadlineMs: 100 })).toBe('');
    await until(async () => (await counted(499)) === 1, { what: 'the closed connection' });
    await untilReported(under, keyId, 1);
  });

  test('take no slot of their organization', async () => {
    const { key, organizationId } = await start({
      GATEWAY_REJECTION_HOLD: '500ms',
      GATEWAY_REQUESTS_IN_FLIGHT: '1',
    });
    const other = await under.operator.issueKey({ organizationId, scopes: ['orders:read'] });
    const held = Array.from({ length: 5 }, () => ping(key));
    expect((await ping(other.secret)).status).toBe(200);
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(5).fill(429));
  });

  test('are answered at once by a gateway that stops, and are in its log', async () => {
    const { key, keyId } = await start({ GATEWAY_REJECTION_HOLD: '2s', GATEWAY_DRAIN: '500ms' });
    const request = `GET /api/partner/v1/ping HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const stopped = under.gateways[0]!.stop();
    const begun = Date.now();
    const response = await raw(under.port, [request]);
    expect(Date.now() - begun).toBeLessThan(1500);
    expect(statusesIn(response)).toEqual([429]);
    expect(response).toContain('Connection: close');
    await stopped;
    expect(reported(under, keyId)).toBeGreaterThanOrEqual(1);
  });
});
