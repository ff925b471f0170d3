import { METHODS } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raw } from '@pto/testing';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let key: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_OPEN_PER_MINUTE: '5' },
  });
  ({ key } = await partnerOf(under));
});
afterAll(() => under.stop());

/** Every method that the parser knows; CONNECT is no request. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** 1,440 requests of anybody: methods, paths and versions of their own, some with a valid key. */
const flood = async (seed: string): Promise<void> => {
  const requests = Array.from({ length: 1440 }, (_, n) => {
    const method = methods[n % methods.length];
    const pages = ['/verify', '/openapi.json', '/favicon.ico', '/verify/page.js'];
    const page = pages[n % pages.length];
    const base = [page, page, `/${seed}${n}`, `/api/partner/v1/${seed}${n}`][n % 4];
    const host = `Host: x\r\nContent-Length: 0\r\n`;
    const credentials = n % 3 === 0 ? `Authorization: Bearer ${key}\r\n` : '';
    return `${method} ${base} HTTP/1.${n % 2}\r\nConnection: close\r\n${host}${credentials}\r\n`;
  });
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    for (let n = lane; n < requests.length; n += 20) await raw(under.port, [requests[n]!]);
  });
  await Promise.all(lanes);
};

const series = async () =>
  (await under.metrics()).split('\n').filter((line) => line.startsWith('http_server_seconds'));

test('1,440 requests with invented methods, paths and versions add a constant number of series', async () => {
  await flood('a');
  const first = await series();
  await flood('b');
  const second = await series();
  expect(first.some((line) => line.includes('method="other"'))).toBe(true);
  const labels = new Set(second.map((line) => /method="([^"]*)"/.exec(line)![1]));
  const bounded = ['GET', 'HEAD', 'other'];
  expect([...labels].filter((label) => !bounded.includes(label!))).toEqual([]);
  // page and unmatched: GET and HEAD with 200, 404, 429, others with 401, 404, 405, 429; 15 series each
  expect(second.length).toBeLessThanOrEqual((2 * 3 + 2 * 4) * 15);
  expect(second.length - first.length).toBeLessThanOrEqual(15);
});

test('a 405 of a public route spends the budget of the address', async () => {
  const other = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_OPEN_PER_MINUTE: '5' },
  });
  try {
    const page = `http://127.0.0.1:${other.port}/verify`;
    const found: number[] = [];
    for (let n = 0; n < 7; n++) found.push((await call('POST', page)).status);
    expect(found).toEqual([405, 405, 405, 405, 405, 429, 429]);
    expect((await call('GET', page)).status).toBe(429);
  } finally {
    await other.stop();
  }
});
