import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transformSync } from 'amaro';
import type { Backends } from '../backends.ts';
import { type LogKeys, pathOf, readLogs } from './log-routes.ts';
import { type PublicResource, type PublicRoute, pagePolicy } from './representation.ts';

/** The keys that the page trusts. */
interface EmbeddedKeys extends LogKeys {
  /** Paths of the logs whose keys could not be read yet; absent: none. */
  readonly unread?: readonly string[];
}

/**
 * Serves the page /verify, which judges a proof file in the reader's browser with the modules of
 * `custody-verify` (types stripped). The page uploads nothing; its policy forbids that. It embeds
 * the keys of this deployment's logs (decision 51) as they were read last, or states that they are
 * missing.
 */
export const verifyRoute = (backends: Pick<Backends, 'log' | 'cells'>): PublicRoute => {
  const known = new Map<string, LogKeys>();
  return {
    path: /^\/verify$/,
    name: '/verify',
    read: async () => {
      const read = await readLogs(backends, deadlineMs).catch(() => []);
      for (const [cell, keys] of read) known.set(cell, keys);
      const logs = backends.cells.flatMap((cell) => known.get(cell) ?? []);
      const unread = backends.cells.filter((cell) => !known.has(cell)).map(pathOf);
      const keys = logs.flatMap(({ keys }) => keys);
      const [first] = logs;
      return pageWith(first ? { ...first, keys, ...(unread.length > 0 && { unread }) } : null);
    },
  };
};

/**
 * Returns the page with the keys in a data block. Browsers do not execute a data block, so the
 * policy need not allow it. `<` is escaped, because it could end the block. Calls with equal keys
 * return the same object, so that the page is compressed and hashed one time.
 */
const pageWith = (keys: EmbeddedKeys | null): PublicResource => {
  const json = JSON.stringify(keys).replaceAll('<', '\\u003c');
  if (last?.json === json) return last.shown;
  const page = html.replace(
    /(<script type="application\/json" id="trusted-keys">)null/,
    (_, open) => open + json,
  );
  const shown = {
    contentType: 'text/html; charset=utf-8',
    bytes: Buffer.from(page),
    // so the embedded keys were read at most 30 s ago, or while their cell last responded; a page
    // without keys of a log is requested again by a reload
    cacheControl: `public, max-age=${keys && !keys.unread ? 30 : 0}`,
    policy,
  };
  last = { json, shown };
  return shown;
};
let last: { readonly json: string; readonly shown: PublicResource } | undefined;

/** Returns the files that the page loads, by path. */
export const verifyFiles = (): readonly [string, PublicResource][] => [
  ['/verify/page.js', { contentType: javascript, bytes: page('verify.js') }],
  ['/verify/page.css', { contentType: 'text/css; charset=utf-8', bytes: page('verify.css') }],
  ['/verify/qr.js', { contentType: javascript, bytes: readFileSync(resolved('qr')) }],
  ...['element.js', 'verdict.js'].map((name): [string, PublicResource] => [
    `/verify/${name}`,
    { contentType: javascript, bytes: page(name) },
  ]),
  ...['certificate.ts', 'describe-history.ts', 'entry-facts.ts', 'shown-text.ts'].map(
    (name): [string, PublicResource] => [`/verify/${name}`, stripped(page(name).toString())],
  ),
  ...verifierModules(),
];

const deadlineMs = 2000;
const javascript = 'text/javascript; charset=utf-8';

const page = (name: string): Buffer =>
  readFileSync(new URL(`../../pages/${name}`, import.meta.url));
const html = page('verify.html').toString();
const resolved = (name: string): string => createRequire(import.meta.url).resolve(name);

/**
 * Returns a TypeScript module without its types. Uses the library behind Node's
 * stripTypeScriptTypes, because that function prints a warning at each start.
 */
const stripped = (text: string): PublicResource => ({
  contentType: javascript,
  bytes: Buffer.from(transformSync(text, { mode: 'strip-only' }).code),
});

/** The import map is inline, so the policy permits it by its hash. */
const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(html) ?? [];
const importMapHash = createHash('sha256').update(importMap).digest('base64');
const policy = pagePolicy(
  `script-src 'self' 'sha256-${importMapHash}'; style-src 'self'; img-src data:; connect-src 'none'`,
);

/** Matches modules that run only in Node. */
const nodeOnly = /^(?:bin\/|note\/sign-note\.|hash\/sha256-node)/;

const verifierModules = (): [string, PublicResource][] => {
  const source = dirname(resolved('@pto/custody-verifier'));
  return globSync('**/*.ts', { cwd: source })
    .filter((name) => !nodeOnly.test(name))
    .map((name) => [`/verify/src/${name}`, stripped(readFileSync(join(source, name), 'utf8'))]);
};
