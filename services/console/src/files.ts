import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ConfigError } from '@pto/config';
import { inCodings } from '@pto/lifecycle';
import type { RequestHandler } from 'express';
import { fail } from './browser/fail.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The names of these files contain a hash of their content. */
const isHashed = (path: string): boolean => path.startsWith('/assets/');

/** The documents of the operators' application, the partners', of a link for one order, the drivers'. */
type Page = '/index.html' | '/portal.html' | '/link.html' | '/driver.html';

/**
 * Reads the built web applications into memory, so no path of a request reaches the file system. They
 * are sent compressed to those who accept it: scripts are 620 kB, and 190 kB compressed.
 * Every other path without an extension is a page of an application, which its document shows.
 * @throws ConfigError if the folder has no `index.html`.
 */
export const openFiles = (folder: string): { serve(page: Page): RequestHandler } => {
  if (folder === '' || !existsSync(join(folder, 'index.html')))
    throw new ConfigError([
      `CONSOLE_DIR: ${folder || 'no folder'} has no index.html: build the console`,
    ]);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined)
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = new Map(
    paths.map((path) => [
      path.slice(folder.replace(/\/+$/, '').length),
      inCodings(readFileSync(path)),
    ]),
  );
  return {
    serve: (page) => async (request, response) => {
      const { method, path } = request;
      if (method !== 'GET' && method !== 'HEAD')
        return fail(response, 404, 'not_found', 'There is no such call.');
      const file = extname(path) === '' ? page : path;
      const read = files.get(file);
      if (!read) return fail(response, 404, 'not_found', 'There is no such file.');
      const { bytes, headers } = await read(request);
      response.set({
        ...headers,
        'Content-Length': `${bytes.byteLength}`,
        'Content-Type': types[extname(file)]!,
        'Cache-Control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
      });
      response.end(bytes);
    },
  };
};
