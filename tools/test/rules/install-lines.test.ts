import { expect, test } from '@jest/globals';
import { installLineViolations, isChecked } from '../../rules/install-lines.ts';

const path = 'docs/partners/webhooks.md';
const file = 'https://HOST/downloads/partner';

test.each([
  'npm install partner-transport-orders',
  'npm install --save-dev @pto/webhook-verifier@1.0.0',
  'Type `pip install partner-transport-orders` here.',
  "pip install 'partner_transport_orders[custody]'",
  'composer require partner-transport-orders/webhook-verifier',
  `npm install ${file}-transport-orders-1.0.0.tgz @pto/custody-verifier`,
  'uv add partner-transport-orders',
  'npx pto ping',
  'npx --no pto --help',
  'npx -y custody-verify proof.json',
])('an install line of a name that nobody owns is reported: %s', (line) => {
  expect(installLineViolations(path, `one\n${line}\n`)).toHaveLength(1);
});

test.each([
  `npm install ${file}-transport-orders-1.0.0.tgz`,
  `pip install ${file}_transport_orders-1.0.0-py3-none-any.whl`,
  `pip install "partner-transport-orders[custody] @ ${file}_transport_orders-1.0.0-py3-none-any.whl"`,
  'npx --no-install pto ping',
  'npm install @napi-rs/keyring',
  'pip install rfc8785 cryptography',
  "import { Client } from 'partner-transport-orders';",
])('another line is not: %s', (line) => expect(installLineViolations(path, line)).toEqual([]));

test.each([
  ['clients/python/README.md', true],
  ['site/snippets/pto/login.sh', true],
  ['clients/python/src/partner_transport_orders/_custody_command.py', true],
  ['e2e/test/clients/packages.ts', false],
  ['CHANGELOG.md', false],
])('%s: checked is %s', (checked, expected) => expect(isChecked(checked)).toBe(expected));
