import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kinds } from '@pto/errors';
import { call, type GatewayUnderTest, startGatewayService } from './gateway-service.ts';

const doors = [
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
  ['/verify/src/index.ts', 'text/javascript; charset=utf-8'],
  ['/verify/src/hash/sha256.ts', 'text/javascript; charset=utf-8'],
] as const;

let under: GatewayUnderTest;
let origin: string;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: {
      PUBLIC_BASE_URL: 'https://api.example.com/api/partner/v1/',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '1000',
    },
  });
  origin = `http://127.0.0.1:${under.port}`;
});
afterAll(() => under.stop());

describe.each(doors)('%s', (path, type) => {
  test('is shown to anybody, and may be cached', async () => {
    const { status, headers, text } = await call('GET', origin + path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text.length).toBeGreaterThan(50);
    const head = await call('HEAD', origin + path);
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

test('every code that a partner can meet has its anchor, its status and its place', async () => {
  const { text } = await call('GET', `${origin}/docs/errors`);
  const { text: document } = await call('GET', `${origin}/openapi.json`);
  for (const [code, { http }] of Object.entries(kinds)) {
    const isPublic = code !== 'OPERATOR_TOKEN_REFUSED';
    expect([code, text.includes(`id="${code}"`)]).toEqual([code, isPublic]);
    if (isPublic) expect(text).toContain(`<code>${code}</code></a> <span>${http}</span>`);
    const link = `https://api.example.com/docs/errors#${code}`;
    if (isPublic && code !== 'METHOD_NOT_ALLOWED') expect(document).toContain(link);
  }
  expect(text).not.toMatch(/<script/);
});
