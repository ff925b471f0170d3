import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newApiKey } from '@pto/access';
import { Failure, kinds } from '@pto/errors';
import { rawBytes } from '@pto/testing';
import type { Request } from 'express';
import { publicKinds } from '../../src/errors/catalogue.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import { logRoutes } from '../../src/site/log-routes.ts';
import { isUnchanged, representationFor } from '../../src/site/representation.ts';
import { verifyRoute } from '../../src/site/verify-page.ts';
import { wellKnownRoutes } from '../../src/site/well-known.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const publicPaths = [
  ['/openapi.json', 'application/json'],
  ['/favicon.ico', 'image/svg+xml'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['/verify', 'text/html; charset=utf-8'],
  ['/verify/page.js', 'text/javascript; charset=utf-8'],
  ['/verify/page.css', 'text/css; charset=utf-8'],
  ['/verify/qr.js', 'text/javascript; charset=utf-8'],
  ['/verify/verdict.js', 'text/javascript; charset=utf-8'],
  ['/verify/describe-history.ts', 'text/javascript; charset=utf-8'],
  ['/verify/entry-facts.ts', 'text/javascript; charset=utf-8'],
  ['/verify/src/index.ts', 'text/javascript; charset=utf-8'],
  ['/verify/src/hash/sha256.ts', 'text/javascript; charset=utf-8'],
] as const;

const at = (month: string) => `${month}-01T00:00:00.000Z`;
const logKeys = {
  origin: 'log.example/</script><b>',
  keys: [
    { vkey: 'log.example+1+old', validFrom: at('2026-01'), validUntil: at('2026-02') },
    { vkey: 'log.example+2+new', validFrom: at('2026-02') },
  ],
};
let under: GatewayUnderTest;
let origin: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    behind: {
      log: { listKeys: async () => logKeys, getTile: async () => ({ tile: Buffer.alloc(32) }) },
    },
    environment: {
      PUBLIC_BASE_URL: 'https://api.example.com/api/partner/v1/',
      SUPPORT_EMAIL: 'help@example.com',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '1000',
    },
  });
  origin = `http://127.0.0.1:${under.port}`;
});
afterAll(() => under.stop());

describe.each(publicPaths)('%s', (path, type) => {
  test('is served without a key, and may be cached', async () => {
    const { status, headers, text } = await call('GET', origin + path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    const seconds = path === '/verify' ? 30 : 300;
    expect(headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text.length).toBeGreaterThan(50);
    const identity = { headers: { 'accept-encoding': 'identity' } };
    const head = await call('HEAD', origin + path, identity);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`);
    const again = { headers: { 'if-none-match': headers.get('etag')! } };
    const cached = await call('GET', origin + path, again);
    expect([cached.status, cached.text]).toEqual([304, '']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s: 405 in the envelope', async (method) => {
    const { status, headers, body } = await call(method, origin + path);
    expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toBe('GET, HEAD');
  });
});

test.each([
  '/',
  '/docs',
  '/Verify',
  '/verify/nothing',
  '/verify/page.js/..%2f..%2fpackage.json',
  '/openapi.json/',
  '/verify/src/bin/custody-verify.ts',
  '/verify/src/hash/sha256-node.ts',
  '/verify/../package.json',
  '/.well-known/change-password',
  '/.env',
  '/orders',
  '/api/partner/v2/orders',
  '/API/partner/v1/ping',
  '/custody/tile/0/00',
  '/custody/tile/8/000',
  '/custody/tile/0/000.p/0',
  '/custody/tile/0/000.p/256',
  '/custody/tile/entries/000.p/256',
  '/custody/tile/orders/000.p/999',
  '/cells/nowhere/custody/checkpoint',
])('%s does not exist, with a key or without', async (path) => {
  const { key } = await partnerOf(under);
  for (const given of [{}, { key }, { key: newApiKey('sandbox') }]) {
    const { status, body, headers } = await call('GET', origin + path, given);
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(headers.get('www-authenticate')).toBeNull();
  }
  expect((await call('POST', origin + path, { body: {} })).status).toBe(404);
});

test.each(['', '/openapi.json', '/docs', '/nowhere', '/orders'])(
  '/api/partner/v1%s requires a key, whether it exists or not',
  async (path) => {
    const { status, body } = await call('GET', `${origin}/api/partner/v1${path}`);
    expect([status, body.error.code]).toEqual([401, 'MISSING_API_KEY']);
  },
);

test.each(['000', '000.p/1', '000.p/99', '000.p/199', '000.p/249', '000.p/255', 'x001/234.p/9'])(
  'the tile %s is read',
  async (tile) => {
    const { status, headers } = await call('GET', `${origin}/custody/tile/0/${tile}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  },
);

test('security.txt names the contact, and a date within a year', async () => {
  const { text } = await call('GET', `${origin}/.well-known/security.txt`);
  const [, expires] = /^Expires: (.*)$/m.exec(text)!;
  const days = (Date.parse(expires!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
  expect(text.replace(expires!, 'DATE')).toBe(
    [
      'Contact: mailto:help@example.com',
      'Expires: DATE',
      'Preferred-Languages: en',
      'Canonical: https://api.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});

test('without a contact there is no security.txt', () => {
  const route = wellKnownRoutes({}).find(({ name }) => name.endsWith('security.txt'))!;
  expect(() => route.read({})).toThrow(expect.objectContaining({ kind: 'NOT_FOUND' }));
});

test('the document names the public address, or else stays on its own origin', async () => {
  const { body } = await call('GET', `${origin}/openapi.json`);
  expect(body.servers[0].url).toBe('https://api.example.com/api/partner/v1');
  expect(body.info.version).toBe('1.0.0');
  const own = openapiDocument([], {});
  expect(own.servers[0]!.url).toBe('/api/partner/v1');
});

test('/verify loads nothing from other origins', async () => {
  const { text, headers } = await call('GET', `${origin}/verify`);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|unsafe|\*/);
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

const embeddedKeys = (page: string): unknown =>
  JSON.parse(
    /<script type="application\/json" id="trusted-keys">([^<]*)<\/script>/.exec(page)![1]!,
  );

test('/verify embeds the keys of this log with their validity', async () => {
  const { text } = await call('GET', `${origin}/verify`);
  expect(embeddedKeys(text)).toEqual({
    origin: logKeys.origin,
    keys: [
      { vkey: 'log.example+1+old', valid_from: at('2026-01'), valid_until: at('2026-02') },
      { vkey: 'log.example+2+new', valid_from: at('2026-02'), valid_until: null },
    ],
  });
  expect((await call('GET', `${origin}/custody/keys.json`)).body).toEqual(embeddedKeys(text));
});

test('/verify is shown without keys while custody is unavailable, and loads them after', async () => {
  let isAvailable = false;
  const listKeys = async () => {
    if (!isAvailable) throw new Failure('SERVICE_UNAVAILABLE', 'custody is unavailable');
    return logKeys;
  };
  const route = verifyRoute({ cells: ['main'], log: { listKeys } as never });
  const without = await route.read({});
  expect([embeddedKeys(`${without.bytes}`), without.cacheControl]).toEqual([
    null,
    'public, max-age=0',
  ]);
  isAvailable = true;
  expect(embeddedKeys(`${(await route.read({})).bytes}`)).toMatchObject({ keys: [{}, {}] });
});

/** Two logs, of which those of `down` cannot be read. */
const twoLogs = () => {
  const down = new Set<string>();
  const listKeys = async (_: unknown, { cell }: { cell: string }) => {
    if (down.has(cell)) throw new Failure('SERVICE_UNAVAILABLE', 'custody is unavailable');
    return { origin: cell, keys: [{ vkey: `${cell}+1+key`, validFrom: at('2026-01') }] };
  };
  return { down, backends: { cells: ['main', 'north'], log: { listKeys } as never } };
};
const keyOf = (cell: string) => ({
  vkey: `${cell}+1+key`,
  valid_from: at('2026-01'),
  valid_until: null,
});

test('/verify embeds the keys of each log that can be read, and the last ones of the others', async () => {
  const { down, backends } = twoLogs();
  const route = verifyRoute(backends);
  const shown = async () => {
    const { bytes, cacheControl } = await route.read({});
    return [embeddedKeys(`${bytes}`), cacheControl];
  };
  down.add('main');
  expect(await shown()).toEqual([
    { origin: 'north', keys: [keyOf('north')], unread: ['/custody'] },
    'public, max-age=0',
  ]);
  down.clear();
  const both = [{ origin: 'main', keys: [keyOf('main'), keyOf('north')] }, 'public, max-age=30'];
  expect(await shown()).toEqual(both);
  down.add('north');
  expect(await shown()).toEqual(both);
});

test('/custody/logs.json lists a log that cannot be read with its path alone', async () => {
  const { down, backends } = twoLogs();
  const route = logRoutes(backends).find(({ name }) => name === '/custody/logs.json')!;
  expect((await route.read({})).cacheControl).toBe('public, max-age=60');
  down.add('main');
  const { bytes, cacheControl } = await route.read({});
  expect([JSON.parse(`${bytes}`), cacheControl]).toEqual([
    {
      logs: [
        { path: '/custody' },
        { path: '/cells/north/custody', origin: 'north', keys: [keyOf('north')] },
      ],
    },
    'public, max-age=0',
  ]);
  down.add('north');
  await expect(route.read({})).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});

test('/verify serves every module that its modules import', async () => {
  const { text } = await call('GET', `${origin}/verify`);
  const map = JSON.parse(/<script type="importmap">(.*?)<\/script>/s.exec(text)![1]!).imports;
  const seen = new Set<string>();
  const load = async (url: string): Promise<void> => {
    if (seen.has(url)) return;
    seen.add(url);
    const module = await call('GET', url);
    const type = module.headers.get('content-type');
    expect([url, module.status, type]).toEqual([url, 200, 'text/javascript; charset=utf-8']);
    for (const [, name] of module.text.matchAll(
      /^(?:import|export|\}).*?\bfrom ["']([^"']+)["']/gm,
    ))
      await load(new URL(map[name!] ?? name, map[name!] ? `${origin}/verify` : url).href);
  };
  await load(`${origin}/verify/page.js`);
  expect(seen.size).toBeGreaterThan(20);
  // each load of the page is that many requests out of GATEWAY_OPEN_PER_MINUTE
  expect(seen.size).toBeLessThan(45);
  expect(seen).toContain(`${origin}/verify/qr.js`);
});

test('the document links every error code of its operations to its section', async () => {
  const { text } = await call('GET', `${origin}/openapi.json`);
  for (const code of publicKinds.filter((kind) => kind !== 'METHOD_NOT_ALLOWED'))
    expect(text).toContain(`https://api.example.com/docs/errors#${code}`);
});

test('every error code but those of internal callers and operators is in the catalogue', () => {
  const internal = /^(?:(?:CALLER_NOT_ALLOWED|ORGANIZATION_HELD)$|OPERATOR_)/;
  const expected = Object.keys(kinds).filter((code) => !internal.test(code));
  expect(publicKinds.toSorted()).toEqual(expected.toSorted());
});

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

const page = '/openapi.json';

test('a page is sent in the best coding that the client accepts, with Vary', async () => {
  const plain = await get(page, 'identity');
  const gzipped = await get(page, 'gzip');
  const br = await get(page, 'gzip, deflate, br');
  const rejected = await get(page, 'br;q=0, gzip;q=0.5');
  const codings = [plain, gzipped, br, rejected].map(({ header }) => header('content-encoding'));
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
  for (const one of again) expect(one.bytes).toBe(first.bytes);
  expect(reads).toBe(before);
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
