import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { isUnchanged, representationFor } from '../../src/http/sending/representation.ts';
import { type GatewayUnderTest, startGatewayService } from '../gateway-service.ts';
import { rawBytes } from '../raw-http.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayService({ redisUrl: '' });
});
afterAll(() => under.stop());

/** One response as it comes over the wire. */
const get = async (path: string, accepted: string, method = 'GET', more = '') => {
  const bytes = await rawBytes(under.port, [
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: ${accepted}\r\n${more}\r\n`,
  ]);
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, end).toString('latin1');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
  return { head, header, body: bytes.subarray(end + 4) };
};

const page = '/docs/swagger-ui.js';

test('a page is sent in the best coding that the client accepts, with Vary', async () => {
  const plain = await get(page, 'identity');
  const gzipped = await get(page, 'gzip');
  const br = await get(page, 'gzip, deflate, br');
  const refused = await get(page, 'br;q=0, gzip;q=0.5');
  const codings = [plain, gzipped, br, refused].map(({ header }) => header('content-encoding'));
  expect(codings).toEqual([undefined, 'gzip', 'br', 'gzip']);
  expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
  expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
  expect(br.body.length).toBeLessThan(plain.body.length / 3);
  for (const { header } of [plain, gzipped, br]) expect(header('vary')).toBe('Accept-Encoding');
  const tags = [plain, gzipped, br].map(({ header }) => header('etag'));
  expect(new Set(tags).size).toBe(3);
});

test('HEAD has the headers of GET and no body, and a known tag is a 304', async () => {
  for (const coding of ['identity', 'gzip', 'br']) {
    const full = await get(page, coding);
    const head = await get(page, coding, 'HEAD');
    expect([head.body.length, head.header('content-length')]).toEqual([0, `${full.body.length}`]);
    expect(head.header('etag')).toBe(full.header('etag'));
    const again = await get(
      page,
      coding,
      'GET',
      `If-None-Match: "x", W/${full.header('etag')}\r\n`,
    );
    expect([again.head.slice(0, 12), again.body.length]).toEqual(['HTTP/1.1 304', 0]);
  }
});

test('bytes are hashed and compressed once, however often they are requested', async () => {
  const request = { acceptsEncodings: (coding: string) => coding } as unknown as Request;
  let reads = 0;
  const shown = {
    contentType: 'text/html; charset=utf-8',
    get bytes() {
      reads++;
      return Buffer.alloc(5000, 'a');
    },
  };
  const first = await representationFor(request, shown);
  const before = reads;
  const again = await Promise.all([1, 2, 3].map(() => representationFor(request, shown)));
  for (const one of again) expect(one).toBe(first);
  expect(reads - before).toBe(3); // only whether it is large enough
});

test('small and binary bodies are not compressed', async () => {
  const request = { acceptsEncodings: (coding: string) => coding } as unknown as Request;
  const small = { contentType: 'text/plain', bytes: Buffer.from('small') };
  const binary = { contentType: 'application/octet-stream', bytes: Buffer.alloc(5000) };
  for (const shown of [small, binary])
    expect((await representationFor(request, shown)).headers).toEqual({ ETag: expect.any(String) });
});

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"ab"', false],
  ['*', true],
])('If-None-Match %s is compared with "a": %s', (header, expected) => {
  expect(isUnchanged(header, '"a"')).toBe(expected);
});
