import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SiteFile } from '../assets.ts';

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  http: 'text/plain; charset=utf-8',
  py: 'text/x-python; charset=utf-8',
  php: 'text/plain; charset=utf-8',
  gz: 'application/gzip',
  tgz: 'application/gzip',
  whl: 'application/zip',
  zip: 'application/zip',
};

/**
 * Writes the files, and `site.json`, which lists them. The gateway serves what the list names and
 * nothing else.
 */
export const writeSite = (files: readonly SiteFile[], folder: string): void => {
  const listed = files.map((file) => writeFile(file, folder));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ v: 'site/1', files: listed }));
};

/** A path without an extension is a page, or the list of sums, whose name tools expect. */
const extensionOf = (path: string): string => (path.endsWith('/SHA256SUMS') ? 'txt' : 'html');

const writeFile = ({ path, bytes }: SiteFile, folder: string) => {
  const name = /\.\w+$/.test(path)
    ? path.slice(1)
    : `${path.slice(1) || 'index'}.${extensionOf(path)}`;
  const type = contentTypes[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`${path}: no content type is known for its extension`);
  const place = join(folder, name);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, bytes);
  // names of assets contain a hash of their bytes, so clients may store these files for a year
  return { path, file: name, type, isImmutable: path.startsWith('/assets/') };
};
