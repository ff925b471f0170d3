import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sourceKey } from '../src/source-key.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sources-'));
  put('site/pages/guides/orders.md', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

test('the same files have the same key', () => {
  const before = sourceKey(root);
  put('site/pages/guides/orders.md', 'one');
  put('site/test/new.test.ts', 'no part of the site');
  expect(sourceKey(root)).toBe(before);
});

test.each([
  'site/pages/guides/orders.md',
  'site/snippets/orders/get.sh',
  'site/layouts/base.njk',
  'docs/partners/webhooks.md',
  'verifiers/webhook-verifier/node/receiver.ts',
  'services/gateway/src/openapi/document.ts',
  'services/gateway/src/errors/catalogue.ts',
  'CHANGELOG.md',
  'package-lock.json',
])('a change of %s changes the key', (name) => {
  const before = sourceKey(root);
  put(name, 'two');
  expect(sourceKey(root)).not.toBe(before);
});
