import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { raw, statusesIn } from '@pto/testing';
import fc from 'fast-check';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

let under: GatewayUnderTest;
let key: string;
let given: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    timings: { headersMs: 1500, bodyMs: 2000, bodyStillMs: 1000 },
    environment: {
      GATEWAY_WRITES_PER_MINUTE: '1000000',
      GATEWAY_READS_PER_MINUTE: '1000000',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '1000000',
    },
  });
  key = (await partnerOf(under)).key;
  given = `Host: x\r\nAuthorization: Bearer ${key}\r\n`;
});
afterAll(() => under.stop());

// whatever a test has sent, the next request is served and nothing was logged as our own fault
afterEach(async () => {
  expect((await call('GET', `${under.baseUrls[0]}/ping`, { key })).status).toBe(200);
  expect(under.logged.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
});

const path = '/api/partner/v1';
const close = 'Connection: close\r\n'; // the server then ends the connection, not a timer
const post = (body: Buffer | string, headers = 'Content-Type: application/json\r\n') => {
  const bytes = Buffer.from(body);
  const head = `POST ${path}/locations HTTP/1.1\r\n${given}${headers}`;
  return raw(under.port, [`${head}${close}Content-Length: ${bytes.length}\r\n\r\n`, bytes]);
};
const first = async (heard: Promise<string>) => statusesIn(await heard)[0];

describe('bodies', () => {
  const deep = (n: number) => '['.repeat(n) + ']'.repeat(n);
  test.each<[string, string | Buffer, string]>([
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'json_invalid'],
    ['UTF-16', Buffer.from('﻿{"label":"x"}', 'utf16le'), 'json_invalid'],
    ['depth 33', `{"x":${deep(32)}}`, 'json_invalid'],
    ['depth 10,000', deep(10_000), 'json_invalid'],
    ['a deep string is not deep', `{"x":"${'['.repeat(9999)}"}`, 'missing'],
    ['depth 32', `{"x":${deep(31)}}`, 'missing'],
    ['20,000 members', `{${Array.from({ length: 20_000 }, (_, n) => `"${n}":1`)}}`, 'missing'],
    ['NUL', '{"label":"a\\u0000b"}', 'value_error'],
    ['a lone surrogate', '{"label":"a\\ud800b"}', 'value_error'],
    ['a byte order mark', '﻿{"label":5}', 'string_type'],
    ['the last of twice', '{"label":"x","label":5}', 'string_type'],
    ['1e999', '{"label":1e999}', 'string_type'],
    ['beyond 2^53', '{"label":12345678901234567890}', 'string_type'],
    ['__proto__', '{"__proto__":{"label":"x"}}', 'missing'],
    ['constructor', '{"constructor":{"prototype":{"label":1}}}', 'missing'],
    ['an unterminated string', `{"x":"${'\\\\'.repeat(100_000)}`, 'json_invalid'],
  ])('%s', async (_, body, type) => {
    const heard = await post(body);
    expect(statusesIn(heard)).toEqual([422]);
    expect(JSON.parse(heard.split('\r\n\r\n')[1] ?? '').detail[0].type).toBe(type);
  });

  test.each<[string, string]>([
    ['none', ''],
    ['text', 'Content-Type: text/plain\r\n'],
    ['a form', 'Content-Type: application/x-www-form-urlencoded\r\n'],
    ['JSON in Latin-1', 'Content-Type: application/json; charset=iso-8859-1\r\n'],
    ['JSON in gzip', 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n'],
  ])('media type: %s is 415', async (_, headers) => {
    expect(await first(post('{}', headers))).toBe(415);
  });

  test('media type: case, spaces and charset=utf-8 are fine', async () => {
    const headers =
      'Content-Type: Application/JSON ; charset="UTF-8"\r\nContent-Encoding: identity\r\n';
    expect(await first(post('{}', headers))).toBe(422);
  });

  test('256 KiB are read, one byte more is 413, whole or chunked, forever or not', async () => {
    const max = 256 * 1024;
    const pad = (n: number) => `{}${' '.repeat(n - 2)}`;
    expect(await first(post(pad(max)))).toBe(422);
    expect(await first(post(pad(max + 1)))).toBe(413);
    const head = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\n`;
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const chunked = [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array(200).fill(chunk)];
    expect(statusesIn(await raw(under.port, chunked))).toEqual([413]);
  });

  test('what comes off the wire still packed is 415, whatever its media type', async () => {
    const head = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\n`;
    const packed = `${head}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect(statusesIn(await raw(under.port, [packed]))).toEqual([415]);
  });

  test('what stands behind the chunks and in their heads is no header, and is bounded', async () => {
    const head = `POST ${path}/locations HTTP/1.1\r\n${given}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const sent = (body: string) => raw(under.port, [head + body]).then(statusesIn);
    expect(await sent('2;a="b"\r\n{}\r\n0\r\nContent-Encoding: gzip\r\n\r\n')).toEqual([422]);
    expect(await sent(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)).toEqual([413]);
    expect(await sent(`2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(5000)}\r\n`)).toEqual([431]);
    expect(await sent('zz\r\n{}\r\n0\r\n\r\n')).toEqual([400]);
    expect(await sent('fffffffffffffffff\r\n{}\r\n0\r\n\r\n')).toEqual([400]);
  });

  test('a client that expects 100 Continue receives it only if its headers are valid', async () => {
    const ask = (headers: string) =>
      raw(
        under.port,
        [
          `POST ${path}/locations HTTP/1.1\r\n${headers}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
          '{}',
        ],
        { pauseMs: 100 },
      );
    expect(statusesIn(await ask(given))).toEqual([100, 422]);
    const old = `POST ${path}/locations HTTP/1.0\r\n${given}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`;
    expect(statusesIn(await raw(under.port, [old]))).toEqual([422]);
    expect(statusesIn(await ask('Host: x\r\n'))[0]).toBe(401);
  });
});

describe('requests', () => {
  const get = (target: string, more = '') =>
    raw(under.port, [`GET ${target} HTTP/1.1\r\n${given}${close}${more}\r\n`]);

  test.each([
    ['/api/partner/v1/ping/', 404],
    ['/api/partner/v1/Ping', 404],
    ['/API/partner/v1/ping', 404],
    ['//api/partner/v1/ping', 404],
    ['/api/partner/v1/../v1/ping', 404],
    ['/api/partner/v1/orders%2Fx', 404],
    ['/api/partner/v1/orders/3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11%2fevents', 404],
    ['/api/partner/v1/orders/%zz', 422],
    ['/api/partner/v1/orders/%ff%fe', 422],
    ['/api/partner/v1/orders/%00', 422],
    ['/api/partner/v1/%70ing', 404],
    ['/', 404],
    ['*', 404],
    ['/api/partner/v1/orders?limit=1&limit=2', 422],
    ['/api/partner/v1/orders?limit=%zz', 422],
    ['/api/partner/v1/ping?x=1&x=2&__proto__=1', 200],
    ['/api/partner/v1/ping#x', 404],
    ['/api/partner/v1/ping;a=b', 404],
    ['/api/partner/v1/ping%20', 404],
    ['http://any.example/api/partner/v1/ping', 200],
    ['http://any.example/api/partner/v1/orders/%zz', 422],
    ['HTTP://any.example?x=/api/partner/v1/ping', 404],
    ['http://[::1/', 404],
    ['http://u:p@[/', 404],
    ['//[::1/', 404],
    ['/api/partner/v1/orders?limit=', 422],
    ['/api/partner/v1/orders?limit=1_0', 200],
    ['/api/partner/v1/orders?limit=+5', 200],
    ['/api/partner/v1/orders?limit=%20%35%20', 200],
    ['/api/partner/v1/orders?status=', 422],
    ['/api/partner/v1/orders?unknown=1&unknown=2', 200],
    ['/api/partner/v1/orders?limit=1&%6cimit=2', 422],
    ['/api/partner/v1/orders?updated_since=2026-01-01T00:00:00+02:00', 422],
    ['/api/partner/v1/orders?updated_since=2026-01-01T00:00:00%2B02:00', 200],
  ])('GET %s is %i', async (target, status) => {
    expect(await first(get(target))).toBe(status);
  });

  test('two Authorization headers are 401, two Idempotency-Keys 422 without their values', async () => {
    const ping = `GET ${path}/ping HTTP/1.1\r\n${given}Authorization: Bearer x\r\n\r\n`;
    expect(await first(raw(under.port, [ping]))).toBe(401);
    const two = `POST ${path}/orders HTTP/1.1\r\n${given}Idempotency-Key: CANARY\r\nIdempotency-Key: b\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    const heard = await raw(under.port, [two]);
    expect(statusesIn(heard)).toEqual([422]);
    expect(heard).toContain('["header","Idempotency-Key"]');
    expect(heard).not.toContain('CANARY');
  });

  test('a target that nobody can parse does not exist, like any other outside of the API', async () => {
    const heard = await raw(under.port, ['GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(statusesIn(heard)).toEqual([404]);
    expect(heard).toContain('NOT_FOUND');
  });

  test.each([
    ['HEAD', '/ping', 200],
    ['HEAD', '/orders', 200],
    ['HEAD', `/orders/3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11/cancel`, 405],
    ['OPTIONS', '/ping', 204],
    ['TRACE', '/ping', 405],
    ['QUERY', '/orders', 405],
    ['PUT', '/orders', 405],
    ['LOCK', '/nowhere', 404],
  ])('%s %s is %i', async (method, at, status) => {
    const heard = await raw(under.port, [
      `${method} ${path}${at} HTTP/1.1\r\n${given}${close}\r\n`,
    ]);
    expect(statusesIn(heard)).toEqual([status]);
    if (method === 'HEAD') expect(heard.split('\r\n\r\n')[1]).toBe('');
    if (status === 405) expect(heard).toMatch(/^Allow: .*OPTIONS\r$/m);
    expect(heard).not.toContain(key); // TRACE would show it
  });

  test.each([
    ['an upgrade', 'GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', [200]],
    [
      'HTTP/2 by upgrade',
      'GET',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
      [200],
    ],
    ['a body on GET', 'GET', 'Content-Length: 2\r\n', [200]],
    ['a folded header', 'GET', 'Idempotency-Key: a\r\n b\r\n', [400]],
    ['a space before the colon', 'GET', 'X : y\r\n', [400]],
    ['a NUL in a header', 'GET', 'X: a\0b\r\n', [400]],
    ['2,000 headers', 'GET', 'X: y\r\n'.repeat(2000), [431]],
    ['500 headers', 'GET', 'X: y\r\n'.repeat(500), [200]],
    ['an own length with a sign', 'POST', 'Content-Length: +2\r\n', [400]],
    ['a length beyond all numbers', 'POST', `Content-Length: ${'9'.repeat(30)}\r\n`, [400]],
    [
      'chunked twice',
      'POST',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
      [400],
    ],
    ['gzip alone', 'POST', 'Transfer-Encoding: gzip\r\n', [400]],
  ])('%s', async (_, method, headers, expected) => {
    const at = method === 'GET' ? '/ping' : '/locations';
    const head = `${method} ${path}${at} HTTP/1.1\r\n${given}${headers}\r\n{}`;
    expect(statusesIn(await raw(under.port, [head])).slice(0, 1)).toEqual(expected);
  });

  test.each<[string, string, number[]]>([
    ['HTTP/0.9, which knows no keys', `GET ${path}/ping\r\n\r\n`, [401]],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['bare line feeds', `GET ${path}/ping HTTP/1.1\nHost: x\n\n`, [400]],
    ['a header of 1 MB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`, [431]],
    ['no HTTP', 'hello\r\n\r\n', [400]],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', [400]],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
    [
      'both lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      [400],
    ],
    ['another expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n', [417]],
  ])('%s', async (_, bytes, expected) => {
    const heard = await raw(under.port, [bytes]);
    expect(statusesIn(heard)).toEqual(expected);
    expect(heard).not.toMatch(/node:|\.ts|at /);
  });

  test('headers that never end, and a body that never ends, are cut off with 408', async () => {
    const begun = Date.now();
    const drip = Array(100).fill('x');
    const slow = { pauseMs: 200, deadlineMs: 20_000, quietMs: 1000 };
    const [nothing, headers, body] = await Promise.all([
      raw(under.port, [], slow),
      raw(under.port, ['GET / HTTP/1.1\r\nX: ', ...drip], slow),
      raw(
        under.port,
        [`POST ${path}/locations HTTP/1.1\r\n${given}Content-Length: 500\r\n\r\n`, ...drip],
        slow,
      ),
    ]);
    expect([nothing, headers, body].map(statusesIn)).toEqual([[408], [408], [408]]);
    const [, envelope = ''] = body.split('\r\n\r\n');
    expect(JSON.parse(envelope).error.code).toBe('REQUEST_TIMEOUT');
    expect(Date.now() - begun).toBeLessThan(8000);
  });

  test('one mutated byte or more, anywhere: never a 5xx, never silence forever', async () => {
    const body = '{"label":"L","street":"S","zip":"10117","city":""}';
    const whole = Buffer.from(
      `POST ${path}/locations?x=1 HTTP/1.1\r\n${given}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    const samples = fc.sample(fc.array(change, { minLength: 1, maxLength: 4 }), {
      numRuns: 300,
      seed: 7,
    });
    const lanes = Array.from({ length: 20 }, async (_, lane) => {
      for (let n = lane; n < samples.length; n += 20) {
        const bytes = Buffer.from(whole);
        for (const [at, value] of samples[n]!) bytes[at] = value;
        const heard = await raw(under.port, [bytes], { deadlineMs: 400, quietMs: 40 });
        expect([samples[n], statusesIn(heard).filter((status) => status >= 500)]).toEqual([
          samples[n],
          [],
        ]);
      }
    });
    await Promise.all(lanes);
  });
});
