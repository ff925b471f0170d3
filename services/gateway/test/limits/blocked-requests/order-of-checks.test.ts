import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import pg from 'pg';
import {
  call,
  type GatewayUnderTest,
  partnerOf,
  startGatewayService,
} from '../../gateway-service.ts';
import { raw, statusesIn } from '../../raw-http.ts';
import { blockedKey, withRedis } from './blocked-key.ts';

/** Decision 20. */
const holdsWithinMs = 5000;

withRedis('a key whose budgets are used up', () => {
  let under: GatewayUnderTest;
  let base: string;
  beforeAll(async () => {
    under = await startGatewayService({
      environment: {
        GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8',
        GATEWAY_FAILED_AUTH_PER_MINUTE: '100057',
      },
    });
    base = under.baseUrls[0]!;
  });
  afterAll(() => under.stop());

  const codeOf = async (...request: Parameters<typeof call>): Promise<string> => {
    const { status, body } = await call(...request);
    return `${status} ${body?.error?.code ?? ''}`.trim();
  };
  const ping = (key: string) => codeOf('GET', `${base}/ping`, { key });
  const becomes = (key: string, code: string) =>
    until(async () => (await ping(key)) === code, { deadlineMs: holdsWithinMs, what: code });

  test.each([
    ['GET', '/nowhere', '404 NOT_FOUND'],
    ['GET', '/ping/', '404 NOT_FOUND'],
    ['GET', '/orders/a%2Fb', '404 NOT_FOUND'],
    ['GET', '/orders/', '404 NOT_FOUND'],
    ['PUT', '/ping', '405 METHOD_NOT_ALLOWED'],
    ['POST', '/ping', '405 METHOD_NOT_ALLOWED'],
    ['OPTIONS', '/ping', '204'],
    ['GET', '/webhooks', '403 INSUFFICIENT_SCOPE'],
    ['GET', '/ping', '429 RATE_LIMITED'],
    ['POST', '/orders', '429 RATE_LIMITED'],
  ])('%s %s is %s', async (method, path, expected) => {
    const { key } = await blockedKey(under);
    expect(await codeOf(method, base + path, { key })).toBe(expected);
  });

  test('a fragment matches no path, and two keys are none', async () => {
    const { key } = await blockedKey(under);
    const line = `Authorization: Bearer ${key}\r\n`;
    const get = (path: string, lines: string) =>
      raw(under.port, [`GET /api/partner/v1${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`]);
    expect(statusesIn(await get('/ping#x', line))).toEqual([404]);
    expect(statusesIn(await get('/ping', line + line))).toEqual([401]);
  });

  test('reads that are used up leave the writes', async () => {
    const { key } = await partnerOf(under, { reads: 1 });
    await becomes(key, '429 RATE_LIMITED');
    expect([await ping(key), await codeOf('POST', `${base}/orders`, { key, body: {} })]).toEqual([
      '429 RATE_LIMITED',
      '422',
    ]);
  });

  test('a revoked key is a 401 immediately, and stays one', async () => {
    const { key, keyId } = await blockedKey(under);
    await under.operator.revokeKey({ id: keyId });
    await becomes(key, '401 API_KEY_REVOKED');
    for (const _ of [1, 2, 3]) expect(await ping(key)).toBe('401 API_KEY_REVOKED');
  });

  test('a key that was revoked without a notification is a 401 within 5 s', async () => {
    const { key, keyId } = await blockedKey(under);
    const database = new pg.Client({ connectionString: under.database.superuserUrl });
    await database.connect();
    await database.query('update api_keys set revoked_at = now() where id = $1', [keyId]);
    await database.end();
    await becomes(key, '401 API_KEY_REVOKED');
  });

  test('a key that expires is a 401', async () => {
    const { key } = await blockedKey(under, { expiresInSeconds: 3n });
    expect(await ping(key)).toBe('429 RATE_LIMITED');
    await becomes(key, '401 API_KEY_EXPIRED');
  });

  test('from an address outside of its CIDRs a key is a 403', async () => {
    const { key } = await blockedKey(under, { allowedCidrs: ['127.0.0.0/8'] });
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    expect(await ping(key)).toBe('429 RATE_LIMITED');
    expect(await codeOf('GET', `${base}/ping`, { key, headers })).toBe(
      '403 CLIENT_ADDRESS_NOT_ALLOWED',
    );
  });

  test('a key of a disabled organization is a 403', async () => {
    const { key, organizationId } = await blockedKey(under);
    await under.operator.setOrganizationEnabled({ id: organizationId, enabled: false });
    await becomes(key, '403 ORGANIZATION_NOT_ENABLED');
    for (const _ of [1, 2, 3]) expect(await ping(key)).toBe('403 ORGANIZATION_NOT_ENABLED');
  });
});
