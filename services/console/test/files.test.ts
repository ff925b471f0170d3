/** The files of the web applications, as a browser and a proxy get them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startConsoleService } from './console-service.ts';

const script = Buffer.from(`export default ${JSON.stringify('word '.repeat(2000))};`);
const folder = mkdtempSync(join(tmpdir(), 'console-files-'));
let service: Awaited<ReturnType<typeof startConsoleService>>;
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  for (const page of ['index.html', 'portal.html'])
    writeFileSync(join(folder, page), '<p>small</p>');
  writeFileSync(join(folder, 'assets', 'main-1.js'), script);
  service = await startConsoleService((_, response) => response.end(), { folder });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** One response with its body as it comes over the wire. */
const get = (path: string, accepted?: string, method = 'GET') =>
  new Promise<{ header: (name: string) => string | undefined; body: Buffer }>((resolve, reject) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    request({ port: service.port, host: '127.0.0.1', path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const header = (name: string) => response.headers[name] as string | undefined;
        resolve({ header, body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
const path = '/assets/main-1.js';

test.each([
  [undefined, undefined],
  ['identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=0.5, br;q=0', 'gzip'],
  ['*', 'br'],
])('a script is sent to a client of Accept-Encoding %s as %s', async (accepted, coding) => {
  const { header, body } = await get(path, accepted);
  expect(header('content-encoding')).toBe(coding);
  expect(header('vary')).toBe('Accept-Encoding');
  expect(header('content-length')).toBe(`${body.length}`);
  expect(header('cache-control')).toContain('immutable');
  const bytes =
    coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
  expect(bytes.equals(script)).toBe(true);
  if (coding !== undefined) expect(body.length).toBeLessThan(script.length / 3);
});

test.each(['identity', 'gzip', 'br'])(
  'HEAD has the headers of GET in %s, and no body',
  async (coding) => {
    const [full, head] = [await get(path, coding), await get(path, coding, 'HEAD')];
    expect(head.body.length).toBe(0);
    for (const name of ['content-length', 'content-encoding', 'vary', 'content-type'])
      expect(head.header(name)).toBe(full.header(name));
  },
);

test('a small page is not compressed', async () => {
  const { header, body } = await get('/orders', 'br');
  expect([header('content-encoding'), body.toString()]).toEqual([undefined, '<p>small</p>']);
});

test('requests at the same time get the same bytes', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => get(path, 'gzip')));
  for (const { body } of all) expect(body.equals(all[0]!.body)).toBe(true);
});
