import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transformSync } from 'amaro';
import type { Backends } from '../backends.ts';
import type { PublicResource, PublicRoute } from '../http/public-routes.ts';
import { type LogKeys, readLogKeys } from './log-keys.ts';
import { recentKeys } from './recent-keys.ts';

/**
 * The page /verify judges a proof file in the reader's own browser, with the modules of
 * `custody-verify`, their types stripped. Nothing is uploaded; the policy forbids it. The page
 * embeds the keys of this deployment's log (decision 51); without them it says so.
 */
export const verifyRoute = (backends: Pick<Backends, 'log'>): PublicRoute => {
  const keys = recentKeys(() => readLogKeys(backends, deadlineMs), keysMaxAgeMs);
  return {
    path: /^\/verify$/,
    name: '/verify',
    read: async () => pageWith(await keys()),
  };
};

/** Returns the same object for the same keys, so that it is compressed and hashed once. */
const pageWith = (known: LogKeys | null): PublicResource => {
  const text = withKeys(known);
  if (last?.text !== text) last = { text, shown: shownPage(text, known !== null) };
  return last.shown;
};
let last: { readonly text: string; readonly shown: PublicResource } | undefined;

const shownPage = (text: string, hasKeys: boolean): PublicResource => ({
  contentType: 'text/html; charset=utf-8',
  bytes: Buffer.from(text),
  // Together with the age of the keys: at most a minute. Without keys a reload tries again.
  maxAgeSeconds: hasKeys ? 30 : 0,
  policy,
});

/** What the page loads. */
export const verifyFiles = (): readonly [string, PublicResource][] => [
  ['/verify/page.js', { contentType: javascript, bytes: page('verify.js') }],
  ['/verify/page.css', { contentType: 'text/css; charset=utf-8', bytes: page('verify.css') }],
  ['/verify/qr.js', { contentType: javascript, bytes: readFileSync(resolved('qr')) }],
  ...['element.js', 'verdict.js'].map((name): [string, PublicResource] => [
    `/verify/${name}`,
    { contentType: javascript, bytes: page(name) },
  ]),
  ...['certificate.ts', 'describe-history.ts', 'shown-text.ts'].map(
    (name): [string, PublicResource] => [`/verify/${name}`, stripped(page(name).toString())],
  ),
  ...verifierModules(),
];

const deadlineMs = 2000;
const keysMaxAgeMs = 30_000;
const javascript = 'text/javascript; charset=utf-8';

const page = (name: string): Buffer =>
  readFileSync(new URL(`../../pages/${name}`, import.meta.url));
const html = page('verify.html').toString();
const resolved = (name: string): string => createRequire(import.meta.url).resolve(name);

/** By the library behind Node's own stripTypeScriptTypes, which warns in plain text at each start. */
const stripped = (text: string): PublicResource => ({
  contentType: javascript,
  bytes: Buffer.from(transformSync(text, { mode: 'strip-only' }).code),
});

/** A data block is not executed, so the policy need not allow it; `<` could end it early. */
const withKeys = (keys: LogKeys | null): string => {
  const json = JSON.stringify(keys).replaceAll('<', '\\u003c');
  return html.replace(/(<script type="application\/json" id="trusted-keys">)null/, (_, open) =>
    open.concat(json),
  );
};

/** The import map stands in the page itself, and is named by its hash. */
const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(html) ?? [];
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
  "style-src 'self'",
  'img-src data:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Those that run in Node alone. */
const nodeOnly = /^(?:bin\/|note\/(?:sign-note|cosign)\.|hash\/sha256-node)/;

const verifierModules = (): [string, PublicResource][] => {
  const source = dirname(resolved('@pto/custody-verifier'));
  return globSync('**/*.ts', { cwd: source })
    .filter((name) => !nodeOnly.test(name))
    .map((name) => [`/verify/src/${name}`, stripped(readFileSync(join(source, name), 'utf8'))]);
};
