/** Raw HTTP requests of a hostile partner: valid ones, spoilt in every way, from a seed. */
import { gzipSync } from 'node:zlib';
import { below, pick, type Random } from '../../random.ts';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const write = ({ method, target, headers, body }: RawRequest, version = 'HTTP/1.1'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} ${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      'latin1',
    ),
    body,
  ]);

/** The request with its body, as HTTP has it. */
export const whole = (request: RawRequest): Buffer =>
  write({
    ...request,
    headers: [
      ...request.headers,
      ...(request.body.length > 0 ? [['Content-Length', `${request.body.length}`] as const] : []),
    ],
  });

const chunked = (random: Random, request: RawRequest): Buffer => {
  const size = pick(random, ['', 'x', '-1', 'ffffffffffffffff', '1;ext=1', undefined]);
  const { body } = request;
  const chunk = Buffer.concat([
    Buffer.from(`${size ?? body.length.toString(16)}\r\n`),
    body,
    Buffer.from('\r\n0\r\nTrailer: x\r\n\r\n'),
  ]);
  return write({
    ...request,
    headers: [...request.headers, ['Transfer-Encoding', 'chunked']],
    body: chunk,
  });
};

/** One request, spoilt. */
export const mutate = (random: Random, request: RawRequest): Buffer => {
  const { target, headers, body } = request;
  switch (below(random, 12)) {
    case 0:
      return spoilBytes(random, whole(request));
    case 1:
      return whole({ ...request, method: pick(random, methods) });
    case 2:
      return whole({ ...request, target: pick(random, nastyTargets)(target) });
    case 3:
      return whole({ ...request, headers: [...headers, pick(random, nastyHeaders)] });
    case 4:
      return whole({ ...request, headers: headers.filter(() => random() < 0.7) });
    case 5:
      return chunked(random, request);
    case 6:
      return whole({ ...request, body: spoilBytes(random, body) });
    case 7:
      return whole({
        ...request,
        body: pick(random, [
          Buffer.from(`\ufeff${body}`),
          Buffer.from(body.toString(), 'utf16le'),
          gzipSync(body),
          gzipSync(Buffer.alloc(1_000_000)),
          Buffer.concat([body, body]),
          Buffer.alloc(300_000, 0x20),
        ]),
      });
    case 8:
      return write(request, pick(random, ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', '']));
    default:
      return whole({ ...request, body: spoilJson(random, body) });
  }
};

const nastyTargets: readonly ((target: string) => string)[] = [
  (target) => `${target}/`,
  (target) => target.toUpperCase(),
  (target) => target.replace(/\/(?=[^/]*$)/, '%2F'),
  (target) => target.replace('/api', '//api'),
  (target) => `/x/..${target}`,
  (target) => `${target}%00`,
  (target) => `${target}%ff`,
  (target) => `${target}?limit=1&limit=2&cursor=x&updated_since=now&status=`,
  (target) => `${target}?${'a=1&'.repeat(500)}`,
  (target) => `${target}?limit=9999999999999999999999`,
  (target) => `${target}#fragment`,
  (target) => `http://elsewhere.example${target}`,
  () => '*',
  (target) => `${target}${'/x'.repeat(2000)}`,
  (target) => target.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'not-an-id'),
];

const nastyHeaders: readonly (readonly [string, string])[] = [
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Encoding', 'gzip'],
  ['Content-Length', '5'],
  ['Content-Length', '-1'],
  ['Content-Length', '99999999999999999999'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Authorization', 'Bearer x'],
  ['Idempotency-Key', 'a'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'ä'],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Expect', '100-continue'],
  ['Expect', 'wonders'],
  ['Upgrade', 'h2c'],
  ['Connection', 'upgrade'],
  ['X-Request-Id', '\u0001\u00ff'],
  ['X-Forwarded-For', '::, 1.2.3.4, x'],
  ['traceparent', '00-x'],
  ['X-Long', 'x'.repeat(20_000)],
  ['Bad Name', 'x'],
  ['', 'x'],
];

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'X',
];

/** JSON texts to stand where a value stood. */
const nastyValues = [
  ...['null', 'true', '0', '-0', '1e999', '-1e999', '12345678901234567890', '1.0000000000000001'],
  ...['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"'],
  ...['[]', '{}', '[[[[[[]]]]]]', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":1}}'],
  `"${'x'.repeat(3000)}"`,
  `"${'😀'.repeat(2001)}"`,
  `"e${'\u0301'.repeat(499)}"`,
  '"2026-02-30T00:00:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:60+00:00"',
  '"{3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11}"',
  '"https://[::1]:1/x"',
  '"https://127.0.0.1:1/\\u0000"',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `{${Array.from({ length: 10_000 }, (_, n) => `"${n}":${n}`).join(',')}}`,
];

const spoilJson = (random: Random, body: Buffer): Buffer => {
  const text = body.toString();
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|\b(?:true|false|null|-?\d+)\b/g)];
  if (values.length === 0) return Buffer.from(pick(random, nastyValues));
  const { 0: value, index } = pick(random, values);
  const [before, after] = [text.slice(0, index), text.slice(index + value.length)];
  switch (below(random, 4)) {
    case 0:
      return Buffer.from(
        `${before}${value},"twice":1,"twice":${pick(random, nastyValues)}${after}`,
      );
    case 1:
      return Buffer.concat([
        Buffer.from(before),
        Buffer.from([0x22, 0xff, 0xc0, 0x80, 0x22]), // not UTF-8
        Buffer.from(after),
      ]);
    default:
      return Buffer.from(`${before}${pick(random, nastyValues)}${after}`);
  }
};

const spoilBytes = (random: Random, bytes: Buffer): Buffer => {
  const spoilt = Buffer.from(bytes);
  for (let n = 1 + below(random, 4); n > 0 && spoilt.length > 0; n--)
    spoilt[below(random, spoilt.length)] = below(random, 256);
  const at = below(random, spoilt.length + 1);
  switch (below(random, 5)) {
    case 0:
      return spoilt.subarray(0, at);
    case 1:
      return Buffer.concat([spoilt.subarray(0, at), spoilt]);
    case 2:
      return Buffer.concat([spoilt.subarray(0, at), Buffer.alloc(40, 0x41), spoilt.subarray(at)]);
    default:
      return spoilt;
  }
};
