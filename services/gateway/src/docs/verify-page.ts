import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import type { Shown } from '../http/doors.ts';

/**
 * A page that judges a proof file in the reader's own browser, with the verifier that `custody-verify`
 * runs: its modules as they stand, less their types. Nothing is uploaded; the policy forbids it.
 */
export const verifyPage = (): readonly [string, Shown][] => [
  ['/verify', { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(html), policy }],
  ['/verify/page.js', { contentType: javascript, bytes: page('verify.js') }],
  ['/verify/page.css', { contentType: 'text/css; charset=utf-8', bytes: page('verify.css') }],
  ...verifierModules(),
];

const javascript = 'text/javascript; charset=utf-8';

const page = (name: string): Buffer =>
  readFileSync(new URL(`../../pages/${name}`, import.meta.url));
const html = page('verify.html').toString();

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
const nodeOnly = /^(?:bin\/|note\/sign-note|hash\/sha256-node)/;

const verifierModules = (): [string, Shown][] => {
  const source = dirname(createRequire(import.meta.url).resolve('@pto/custody-verifier'));
  return globSync('**/*.ts', { cwd: source })
    .filter((name) => !nodeOnly.test(name))
    .map((name) => {
      const text = stripTypeScriptTypes(readFileSync(join(source, name), 'utf8'));
      return [`/verify/src/${name}`, { contentType: javascript, bytes: Buffer.from(text) }];
    });
};
