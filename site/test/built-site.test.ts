import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import MiniSearch from 'minisearch';
import { publicKinds } from '../../services/gateway/src/errors/catalogue.ts';
import { connectivityFills } from '../../services/gateway/src/site/connectivity/connectivity-page.ts';
import { openSite } from '../../services/gateway/src/site/site.ts';
import { statusFills } from '../../services/gateway/src/site/status/status-page.ts';
import { searchOptions, shownResults } from '../assets/search-options.ts';
import { recentSite } from '../src/recent-site.ts';
import { reference } from '../src/reference/document.ts';

interface Listed {
  readonly path: string;
  readonly file: string;
}

const site = recentSite();
let files: readonly Listed[];
const bytes = (file: string): Buffer => readFileSync(join(site.folder, file));
const listed = (path: string): Listed => files.find((one) => one.path === path)!;
const text = (path: string): string => bytes(listed(path).file).toString();
const operations = Object.values(reference.paths).flatMap((methods) => Object.values(methods));

beforeAll(async () => {
  await site.build();
  files = JSON.parse(bytes('site.json').toString()).files;
});

test('the gateway accepts the list of files', () => {
  const never = async () => Promise.reject(new Error('not read'));
  const fills = { ...connectivityFills(never), ...statusFills(never) };
  const served = openSite(site.folder, { error: () => {} }, fills);
  for (const { path } of files)
    expect([path, served.find(path) !== undefined]).toEqual([path, true]);
});

test('every operation has a page with its samples, and every error code a section', () => {
  expect(operations.length).toBeGreaterThan(20);
  for (const { operationId, 'x-codeSamples': samples = [] } of operations) {
    const page = text(`/docs/${operationId}`);
    for (const { label } of samples) expect(page).toContain(`data-tab="${label}"`);
    expect(text('/docs')).toContain(`./docs/${operationId}"`);
    expect(text(`/docs/${operationId}.md`)).toContain('## Errors');
  }
  for (const code of publicKinds) expect(text('/docs/errors')).toContain(`id="${code}"`);
});

test('the packages are served, and their SHA-256 in two lists', () => {
  const served = files.filter(({ path }) => path.startsWith('/downloads/'));
  const names = served.map(({ path }) => path.slice('/downloads/'.length));
  for (const form of [
    /^partner-transport-orders-[\d.]+\.tgz$/,
    /^pto-(custody|webhook)-verifier-[\d.]+\.tgz$/,
    /^partner_transport_orders-[\d.]+-py3-none-any\.whl$/,
    /^partner_transport_orders-[\d.]+\.tar\.gz$/,
    /^webhook-verifier-php-[\d.]+\.zip$/,
  ])
    expect(names.some((name) => form.test(name))).toBe(true);
  const lists = ['SHA256SUMS', 'index.json'];
  const sums = names
    .filter((name) => !lists.includes(name))
    .map((name) => {
      const hash = createHash('sha256').update(bytes(listed(`/downloads/${name}`).file));
      return `${hash.digest('hex')}  ${name}`;
    });
  expect(text('/downloads/SHA256SUMS').trimEnd().split('\n').sort()).toEqual(sums.sort());
  const index: { files: { name: string; sha256: string }[] } = JSON.parse(
    text('/downloads/index.json'),
  );
  expect(index.files.map(({ name, sha256 }) => `${sha256}  ${name}`).sort()).toEqual(sums);
});

test('each file that an install line names is served', () => {
  const pages = files.filter(({ file }) => file.endsWith('.html'));
  const urls = pages.flatMap(({ file }) => [
    ...bytes(file)
      .toString()
      .matchAll(/https:\/\/HOST(\/downloads\/[\w.-]*\w)/g),
  ]);
  expect(urls.length).toBeGreaterThan(5);
  for (const [, path] of urls) expect([path, listed(path!) !== undefined]).toEqual([path, true]);
});

test('the landing page is below 100 kB with all that it loads', () => {
  const html = text('/');
  const loaded = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)];
  expect(loaded.length).toBeGreaterThan(3);
  const parts = files.filter(({ path }) => path.startsWith('/assets/part.'));
  const needed = ['/', ...loaded.map(([, name]) => `/${name}`), ...parts.map(({ path }) => path)];
  const sizes = needed.map((path) => {
    // as the gateway sends it
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    return brotliCompressSync(bytes(listed(path).file), { params }).length;
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
});

test('links are relative, so that a proxy can add a prefix', () => {
  for (const { path, file } of files.filter((one) => one.file.endsWith('.html')))
    expect([
      path,
      bytes(file)
        .toString()
        .match(/ (?:href|src)="\/[^"]*"/g),
    ]).toEqual([path, null]);
});

test.each([
  ['Idempotency-Key', '/guides/idempotency'],
  ['as_of', '/guides/lists'],
  ['CANCEL_NOT_ALLOWED', '/docs/errors'],
  ['rotate secret', '/guides/webhooks'],
  ['proof offline', '/guides/custody'],
])('a search for %s finds %s', (words, page) => {
  const { path } = files.find((one) => /^\/assets\/search\./.test(one.path))!;
  const index = MiniSearch.loadJSON(text(path), searchOptions);
  const found = shownResults(index.search(words) as unknown as { url: string }[]);
  expect(found.length).toBeLessThanOrEqual(12);
  expect(found.map(({ url }) => url.split('#')[0])).toContain(page);
});

test('llms.txt leads to pages in Markdown, and llms-full.txt holds their code', () => {
  const links = [...text('/llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => `/${link}`);
  expect(links.length).toBeGreaterThan(12);
  for (const link of links.filter((one) => one !== '/openapi.json'))
    expect([link, listed(link) !== undefined]).toEqual([link, true]);
  expect(text('/llms-full.txt')).toContain('updated_since: since, limit');
  expect(text('/llms-full.txt')).toContain('POST /orders/{order_id}/cancel');
});
