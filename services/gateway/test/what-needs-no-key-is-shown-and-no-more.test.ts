import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure, kinds } from '@pto/errors';
import { call, type GatewayUnderTest, startGatewayService } from './gateway-service.ts';

const publicPaths = [
  ['/openapi.json', 'application/json'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/reference.css', 'text/css; charset=utf-8'],
  ['/docs/errors', 'text/html; charset=utf-8'],
  ['/verify', 'text/html; charset=utf-8'],
  ['/verify/page.js', 'text/javascript; charset=utf-8'],
  ['/verify/page.css', 'text/css; charset=utf-8'],
  ['/verify/qr.js', 'text/javascript; charset=utf-8'],
  ['/verify/verdict.js', 'text/javascript; charset=utf-8'],
  ['/verify/describe-history.ts', 'text/javascript; charset=utf-8'],
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
    behind: { log: { listKeys: async () => logKeys } },
    environment: {
      PUBLIC_BASE_URL: 'https://api.example.com/api/partner/v1/',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '1000',
    },
  });
  origin = `http://127.0.0.1:${under.port}`;
});
afterAll(() => under.stop());

describe.each(publicPaths)('%s', (path, type) => {
  test('is shown to anybody, and may be cached', async () => {
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
  '/docs/',
  '/Docs',
  '/docs/nothing',
  '/docs/swagger-ui.js/..%2f..%2fpackage.json',
  '/openapi.json/',
  '/api/partner/v1/openapi.json',
  '/api/partner/v1/docs',
  '/verify/src/bin/custody-verify.ts',
  '/verify/src/hash/sha256-node.ts',
  '/verify/../package.json',
])('%s asks for a key as ever', async (path) => {
  const { status, body } = await call('GET', origin + path);
  expect([status, body.error.code]).toEqual([401, 'MISSING_API_KEY']);
});

test('the document names the public address, or else stays on its own origin', async () => {
  const { body } = await call('GET', `${origin}/openapi.json`);
  expect(body.servers[0].url).toBe('https://api.example.com/api/partner/v1');
  expect(body.info.version).toBe('1.0.0');
  const other = await startGatewayService({ redisUrl: '' });
  const own = await call('GET', `http://127.0.0.1:${other.port}/openapi.json`);
  await other.stop();
  expect(own.body.servers[0].url).toBe('/api/partner/v1');
});

test.each(['/docs', '/docs/errors', '/verify'])('%s loads nothing from elsewhere', async (path) => {
  const { text, headers } = await call('GET', origin + path);
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
  const other = await startGatewayService({ redisUrl: '', behind: { log: { listKeys } } });
  const page = () => call('GET', `http://127.0.0.1:${other.port}/verify`);
  try {
    const without = await page();
    expect([without.status, embeddedKeys(without.text)]).toEqual([200, null]);
    expect(without.headers.get('cache-control')).toBe('public, max-age=0');
    isAvailable = true;
    expect(embeddedKeys((await page()).text)).toMatchObject({ keys: [{}, {}] });
  } finally {
    await other.stop();
  }
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

test('every code that a partner can meet has its anchor, its status and its place', async () => {
  const { text } = await call('GET', `${origin}/docs/errors`);
  const { text: document } = await call('GET', `${origin}/openapi.json`);
  for (const [code, { http }] of Object.entries(kinds)) {
    const isPublic = code !== 'CALLER_NOT_ALLOWED' && !code.startsWith('OPERATOR_');
    expect([code, text.includes(`id="${code}"`)]).toEqual([code, isPublic]);
    if (isPublic) expect(text).toContain(`<code>${code}</code></a> <span>${http}</span>`);
    const link = `https://api.example.com/docs/errors#${code}`;
    if (isPublic && code !== 'METHOD_NOT_ALLOWED') expect(document).toContain(link);
  }
  expect(text).not.toMatch(/<script/);
});
