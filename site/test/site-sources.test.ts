import { expect, test } from '@jest/globals';
import { filesOf } from '@pto/bundle';
import { sources } from '../src/recent-site.ts';
import { root } from '../src/root.ts';

const files = filesOf(root, sources);

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
])('the site is built again when %s changes', (name) => {
  expect(files).toContain(name);
});

test('a change of a test builds no site', () => {
  expect(files.filter((path) => path.includes('/test/'))).toEqual([]);
});
