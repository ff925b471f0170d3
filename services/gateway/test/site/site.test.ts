import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rawBytes } from '@pto/testing';
import { openSite } from '../../src/site/site.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
const html = 'text/html; charset=utf-8';
const large = `<!doctype html><title>Home</title><a href="./quickstart">x</a>${'text '.repeat(500)}`;
const folder = mkdtempSync(join(tmpdir(), 'site-'));

interface Row {
  path: string;
  file: string;
  type: string;
  isImmutable: boolean;
}

const row = (path: string, file: string, more: Partial<Row> = {}): Row => ({
  path,
  file,
  type: html,
  isImmutable: false,
  ...more,
});

const put = (name: string, bytes: string | Uint8Array, within = folder): void => {
  mkdirSync(dirname(join(within, name)), { recursive: true });
  writeFileSync(join(within, name), bytes);
};
const list = (files: readonly Row[], within = folder): void =>
  put('site.json', JSON.stringify({ v: 'site/1', files }), within);

const writeSite = (): void => {
  put('index.html', large);
  put('docs.html', '<title>Reference</title>');
  put('404.html', '<title>Nothing</title><a href="./quickstart">Quickstart</a>');
  put('guides/orders.html', '<title>Orders</title>');
  put('assets/style.ABC.css', 'body{}');
  put('unlisted.html', 'not in the list');
  put('other.html', '<title>In place of the gateway</title>');
  list([
    row('/', 'index.html'),
    row('/docs', 'docs.html'),
    row('/404', '404.html'),
    row('/guides/orders', 'guides/orders.html'),
    ...['/verify', '/openapi.json', '/custody/checkpoint', '/api/partner/v1/ping'].map((path) =>
      row(path, 'other.html'),
    ),
    row('/assets/style.ABC.css', 'assets/style.ABC.css', { type: 'text/css', isImmutable: true }),
  ]);
};

let under: GatewayUnderTest;
let origin: string;
beforeAll(async () => {
  writeSite();
  under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_SITE_DIR: folder, GATEWAY_FAILED_AUTH_PER_MINUTE: '1000' },
  });
  origin = `http://127.0.0.1:${under.port}`;
});
afterAll(async () => {
  await under.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a page is public, has a strict policy, and is compared by its ETag each time', async () => {
  const { status, headers, text } = await call('GET', `${origin}/`);
  expect([status, text, headers.get('content-type')]).toEqual([200, large, html]);
  expect(headers.get('cache-control')).toBe('no-cache');
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/https?:|unsafe|\*/);
  const again = { headers: { 'if-none-match': headers.get('etag')! } };
  expect((await call('GET', `${origin}/`, again)).status).toBe(304);
  const head = await call('HEAD', `${origin}/`);
  expect([head.status, head.text]).toEqual([200, '']);
});

test('an asset with a hash in its name is cached for a year', async () => {
  const { headers } = await call('GET', `${origin}/assets/style.ABC.css`);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('the bytes are those that the build wrote', async () => {
  const bytes = await rawBytes(under.port, [
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: identity\r\n\r\n`,
  ]);
  expect(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4).toString()).toBe(large);
});

test('the site replaces no other public path and no path of the API', async () => {
  expect((await call('GET', `${origin}/docs`)).text).toContain('<title>Reference</title>');
  expect((await call('GET', `${origin}/openapi.json`)).body.openapi).toBe('3.1.1');
  expect((await call('GET', `${origin}/verify`)).text).toContain('trusted-keys');
  expect((await call('GET', `${origin}/custody/checkpoint`)).text).not.toContain('<title>');
  const { key } = await partnerOf(under);
  const ping = await call('GET', `${under.baseUrls[0]}/ping`, { key });
  expect([ping.status, ping.body.status]).toEqual([200, 'ok']);
});

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(origin + path, { method, headers, redirect: 'manual' });
  return { response, text: await response.text() };
};

test.each([
  ['/guides/a/b', '../../'],
  ['/nothing', './'],
  ['/docs/nothing', '../'],
  ['/verify/a/b/', '../../../'],
  ['/%2e%2e/etc', './'],
])('a browser at %s gets the 404 page of the site', async (path, up) => {
  const { response, text } = await get(path, { accept: browser });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, html]);
  expect(text).toContain(`href="${up}quickstart"`);
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  const head = await get(path, { accept: browser }, 'HEAD');
  expect([head.response.status, head.text]).toEqual([404, '']);
});

test.each(['/docs/', '/guides/orders/'])(
  'a browser at %s is redirected to the page',
  async (path) => {
    const { response } = await get(path, { accept: browser });
    expect(response.status).toBe(307);
    const location = new URL(response.headers.get('location')!, origin + path);
    expect(location.href).toBe(origin + path.slice(0, -1));
  },
);

test.each(['/docs/', '/nothing'])('an API client at %s gets JSON', async (path) => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const { response, text } = await get(path, { accept });
    expect([response.status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
  }
  const { key } = await partnerOf(under);
  const { response, text } = await get(path, { accept: browser, authorization: `Bearer ${key}` });
  expect([response.status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
});

test('the API responds with JSON to a browser, too', async () => {
  const { response, text } = await get('/api/partner/v1/nothing', { accept: browser });
  expect([response.status, JSON.parse(text).error.code]).toEqual([401, 'MISSING_API_KEY']);
});

test('pages for browsers use the limit of public paths, and need a built site', async () => {
  const path = mkdtempSync(join(tmpdir(), 'site-'));
  const limited = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_OPEN_PER_MINUTE: '3', GATEWAY_SITE_DIR: path },
  });
  const read = async () => {
    const headers = { accept: browser };
    const response = await fetch(`http://127.0.0.1:${limited.port}/nothing`, { headers });
    return [response.status, (await response.text()).includes('<title>Nothing')];
  };
  try {
    expect(await read()).toEqual([404, false]);
    put('404.html', '<title>Nothing</title>', path);
    list([row('/404', '404.html')], path);
    expect(await read()).toEqual([404, true]);
    expect(await read()).toEqual([404, true]);
    expect(await read()).toEqual([429, false]);
  } finally {
    await limited.stop();
    rmSync(path, { recursive: true, force: true });
  }
});

test.each(['POST', 'PUT', 'DELETE'])('%s at a page is a 405', async (method) => {
  const { status, body } = await call(method, `${origin}/guides/orders`);
  expect([status, body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

test.each([
  '/unlisted',
  '/unlisted.html',
  '/site.json',
  '/index.html',
  '/guides/..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/__proto__',
])('%s is not a page', async (path) => {
  const bytes = await rawBytes(under.port, [
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]);
  expect(bytes.toString()).toMatch(/^HTTP\/1.1 404 /);
  expect(bytes.toString()).toContain('"NOT_FOUND"');
});

test.each([
  ['a link', row('/x', 'link.html'), 'is not a regular file'],
  ['a file in a linked folder', row('/x', 'linked/hosts'), 'is not a regular file'],
  ['a file outside', row('/x', '../x'), 'is not a regular file'],
])('a site that lists %s is rejected', (_, listed, words) => {
  const other = mkdtempSync(join(tmpdir(), 'site-'));
  try {
    put('ok.html', 'ok', other);
    symlinkSync(join(other, 'ok.html'), join(other, 'link.html'));
    symlinkSync('/etc', join(other, 'linked'));
    list([listed], other);
    expect(() => openSite(other, { error: () => {} })).toThrow(words);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test('a site above the limit of 32 MiB is rejected', () => {
  const other = mkdtempSync(join(tmpdir(), 'site-'));
  try {
    put('large.html', Buffer.alloc(33 * 1024 * 1024), other);
    list([row('/', 'large.html')], other);
    expect(() => openSite(other, { error: () => {} })).toThrow('more than 33554432 bytes');
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test('a site that is built while the gateway runs is served, and a faulty one is logged', () => {
  const other = mkdtempSync(join(tmpdir(), 'site-'));
  const errors: string[] = [];
  const open = () => openSite(other, { error: (_: unknown, text?: string) => errors.push(text!) });
  try {
    const [served, faulty] = [open(), open()];
    expect(served.find('/')).toBeUndefined();
    put('index.html', 'home', other);
    list([row('/', 'index.html')], other);
    expect(served.find('/')).toBeDefined();
    list([row('/', '../index.html')], other);
    expect(faulty.find('/')).toBeUndefined();
    expect(errors).toEqual(['the documentation site cannot be served']);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});
