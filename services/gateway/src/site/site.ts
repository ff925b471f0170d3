import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@pto/telemetry';
import { type PageParts, pageWithParts } from './page-parts.ts';
import { forever, type PublicResource, type PublicRoute, pagePolicy } from './representation.ts';

/** One row of `site.json`, which the build writes. */
interface SiteFile {
  readonly path: string;
  /** Path of the file, relative to the folder. */
  readonly file: string;
  readonly type: string;
  readonly isImmutable: boolean;
}

/** Maximum bytes of all files of the site, which are stored in memory. */
const bytesMax = 32 * 1024 * 1024;

/**
 * Opens the site of a folder. The local stack builds the site after the gateway's start: until the
 * folder has a site, each call looks for one; after that, the site is not read again. Only files
 * that `site.json` lists are served, so no path of a request reaches the file system.
 * @param folder empty: no site
 * @param parts the parts of pages that belong to this environment.
 * @throws Error if the folder has a site at the start that cannot be served.
 */
export const openSite = (folder: string, log: Pick<Logger, 'error'>, parts: PageParts = {}) => {
  let pages = folder === '' ? new Map<string, PublicRoute>() : readSite(folder, parts);
  const load = (): ReadonlyMap<string, PublicRoute> | undefined => {
    try {
      pages ??= readSite(folder, parts);
    } catch (error) {
      pages = new Map(); // an invalid site must not fail requests of partners
      log.error({ err: error }, 'the documentation site cannot be served');
    }
    return pages;
  };
  return {
    /** Returns the route of a path, or undefined if the site has none. */
    find: (path: string) => load()?.get(path),
    /**
     * Returns a relative redirect for a path with a trailing `/`, or undefined if the site has no
     * page for it.
     */
    redirect: (path: string): string | undefined => {
      const target = path.endsWith('/') ? path.slice(0, -1) : '';
      return load()?.has(target) ? `..${target.slice(target.lastIndexOf('/'))}` : undefined;
    },
    /**
     * Returns the page for an unknown path, or undefined while the site has no such page.
     * @param up relative URL of the root of the site, such as `../`
     */
    notFound: (up: string) => {
      const shown = load()?.get(notFoundPath)?.read({}) as PublicResource | undefined;
      if (!shown) return undefined;
      // the page's links are relative to the root, so they need the prefix `up`
      const page = Buffer.from(shown.bytes).toString().replaceAll('="./', `="${up}`);
      return { page, policy };
    },
  };
};

export type Site = ReturnType<typeof openSite>;

const notFoundPath = '/404';

/**
 * Reads the site; undefined while the folder has no complete site.
 * @throws Error for a site that cannot be served.
 */
const readSite = (
  folder: string,
  parts: PageParts,
): ReadonlyMap<string, PublicRoute> | undefined => {
  let text: string;
  try {
    text = readFileSync(join(folder, 'site.json'), 'utf8');
  } catch {
    return undefined;
  }
  const { files } = JSON.parse(text) as { readonly files: readonly SiteFile[] };
  const read = fileReader(realpathSync(folder));
  return new Map(files.map((file) => [file.path, routeOf(file, read, parts)]));
};

const routeOf = (one: SiteFile, read: (file: string) => Buffer, parts: PageParts): PublicRoute => {
  const { file, type, isImmutable } = one;
  const shown: PublicResource = {
    contentType: type,
    bytes: read(file),
    cacheControl: isImmutable ? forever : 'no-cache', // no-cache: the ETag is compared each time
    policy,
  };
  return {
    path: /^/,
    name: isImmutable ? 'site-asset' : 'site',
    read: pageWithParts(shown, parts),
  };
};

/** Reads regular files below the folder, up to `bytesMax` in total. Symbolic links are rejected. */
const fileReader = (folder: string) => {
  let bytes = 0;
  return (file: string): Buffer => {
    const place = join(folder, file);
    const isWithin = /^[\w./-]+$/.test(file) && !file.split('/').includes('..');
    if (!isWithin || realpathSync(place) !== place || !lstatSync(place).isFile())
      throw new Error(`site.json: ${file} is not a regular file of the site`);
    const read = readFileSync(place);
    bytes += read.byteLength;
    if (bytes > bytesMax) throw new Error(`the site has more than ${bytesMax} bytes`);
    return read;
  };
};

/** Content-Security-Policy of the site's pages: only files from the gateway, no inline code. */
const policy = pagePolicy(
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
);
