import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
let under: GatewayUnderTest;
let origin: string;
beforeAll(async () => {
  under = await startGatewayService({ redisUrl: '' });
  origin = `http://127.0.0.1:${under.port}`;
});
afterAll(() => under.stop());

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(origin + path, { method, headers, redirect: 'manual' });
  return { response, text: await response.text() };
};

test.each([
  ['/', '/docs'],
  ['/docs/', '/docs'],
])('a browser at %s is redirected to %s', async (path, target) => {
  const { response } = await get(path, { accept: browser });
  expect(response.status).toBe(307);
  const location = new URL(response.headers.get('location')!, origin + path);
  expect(location.href).toBe(origin + target);
});

test.each(['/nothing', '/docs/nothing', '/verify/a/b/', '/%2e%2e/etc'])(
  'a browser at %s gets an HTML 404 with a strict policy',
  async (path) => {
    const { response, text } = await get(path, { accept: browser });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy')!;
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(text)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(policy).not.toMatch(/https?:|unsafe|\*/);
    for (const [, href] of text.matchAll(/href="([^"]+)"/g)) {
      const linked = await fetch(new URL(href!, response.url));
      expect([href, linked.status]).toEqual([href, 200]);
    }
    const head = await get(path, { accept: browser }, 'HEAD');
    expect([head.response.status, head.text]).toEqual([404, '']);
  },
);

test.each(['/', '/docs/', '/nothing'])('an API client at %s gets JSON', async (path) => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const { response, text } = await get(path, { accept });
    expect([response.status, JSON.parse(text).error.code]).toEqual([401, 'MISSING_API_KEY']);
  }
  const { key } = await partnerOf(under);
  const { response, text } = await get(path, { accept: browser, authorization: `Bearer ${key}` });
  expect([response.status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
});

test('the API responds with JSON to a browser, too', async () => {
  const { response, text } = await get('/api/partner/v1/nothing', { accept: browser });
  expect([response.status, JSON.parse(text).error.code]).toEqual([401, 'MISSING_API_KEY']);
});

test('/favicon.ico is an image', async () => {
  const { response, text } = await get('/favicon.ico', { accept: 'image/avif,image/webp,*/*' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(text).toMatch(/^<svg /);
});

test('pages for browsers use the limit of public paths', async () => {
  const limited = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_OPEN_PER_MINUTE: '2' },
  });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) {
      const headers = { accept: browser };
      const { status } = await fetch(`http://127.0.0.1:${limited.port}/nothing`, { headers });
      statuses.push(status);
    }
    expect(statuses).toEqual([404, 404, 429]);
  } finally {
    await limited.stop();
  }
});
