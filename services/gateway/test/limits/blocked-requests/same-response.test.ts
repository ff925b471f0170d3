import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, type GatewayUnderTest, startGatewayService } from '../../gateway-service.ts';
import { raw, statusesIn } from '../../raw-http.ts';
import { blockedKey, untilReported, withRedis } from './blocked-key.ts';

withRedis('a request ahead of the app', () => {
  let under: GatewayUnderTest;
  beforeAll(async () => {
    under = await startGatewayService({ replicas: 2 });
  });
  afterAll(() => under.stop());

  const host = 'Host: x\r\n';
  const post = 'POST /api/partner/v1/orders HTTP/1.1\r\n';
  const kinds: readonly (readonly [string, (key: string) => string])[] = [
    ['GET', (key) => `GET /api/partner/v1/ping HTTP/1.1\r\n${host}${key}\r\n`],
    ['a query', (key) => `GET /api/partner/v1/orders?limit=x HTTP/1.1\r\n${host}${key}\r\n`],
    ['a parameter', (key) => `GET /api/partner/v1/orders/x%ff HTTP/1.1\r\n${host}${key}\r\n`],
    ['HEAD', (key) => `HEAD /api/partner/v1/ping HTTP/1.1\r\n${host}${key}\r\n`],
    ['HTTP/1.0', (key) => `GET /api/partner/v1/ping HTTP/1.0\r\n${key}\r\n`],
    [
      'close',
      (key) => `GET /api/partner/v1/ping HTTP/1.1\r\nConnection: close\r\n${host}${key}\r\n`,
    ],
    ['a body', (key) => `${post}${host}${key}Content-Length: 2\r\n\r\n{}`],
    [
      'chunks',
      (key) => `${post}${host}${key}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['Expect', (key) => `${post}${host}${key}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`],
    ['a large body', (key) => `${post}${host}${key}Content-Length: 900000\r\n\r\n{`],
  ];

  /** What differs between two responses: times and the length of the wait. */
  const masked = (text: string) =>
    text
      .replace(/Date: .*/, 'Date')
      .replace(/X-RateLimit-Reset: \d+/, 'Reset')
      .replace(/Retry-After: \d+/, 'Retry-After');

  test.each(kinds)('%s: has the bytes of the response that the app sends', async (_, request) => {
    const { key, keyId } = await blockedKey(under);
    const lines = `Authorization: Bearer ${key}\r\nX-Request-Id: mine\r\n`;
    const send = (replica: number) => raw(under.gateways[replica]!.httpPort, [request(lines)]);
    const begun = Date.now();
    const byApp = await send(1); // the second replica does not know that the budget is used up
    await send(0); // looks up the key again, if the one of before is 4 s old
    const ahead = await send(0);
    expect(statusesIn(ahead)).toEqual([429]);
    expect(masked(ahead)).toBe(masked(byApp));
    const numberIn = (text: string, name: string) =>
      Number(text.split(`${name}: `)[1]!.split('\r')[0]);
    const change = (name: string) => numberIn(ahead, name) - numberIn(byApp, name);
    expect(Math.abs(change('X-RateLimit-Reset'))).toBeLessThanOrEqual(1);
    expect(change('Retry-After')).toBeLessThanOrEqual(0);
    expect(-change('Retry-After')).toBeLessThanOrEqual((Date.now() - begun) / 1000 + 1);
    await untilReported(under, keyId, 1);
  });

  test('a body is dropped, and the connection goes on with the next request', async () => {
    const { key, keyId } = await blockedKey(under);
    const one = `${post}${host}Authorization: Bearer ${key}\r\nContent-Length: 20000\r\n\r\n`;
    const requests = Array.from({ length: 3 }, () => one + 'x'.repeat(20_000));
    expect(statusesIn(await raw(under.port, requests))).toEqual([429, 429, 429]);
    await untilReported(under, keyId, 2);
  });

  test('a request without an id gets one of its own', async () => {
    const { key } = await blockedKey(under);
    const ping = () => call('GET', `${under.baseUrls[0]}/ping`, { key });
    const ids = [await ping(), await ping()].map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});
