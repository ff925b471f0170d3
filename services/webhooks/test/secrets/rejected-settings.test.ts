import { expect, test } from '@jest/globals';
import { trust } from '../../src/egress/tls.ts';

test('a file of certificates that cannot be read is rejected with its path', () => {
  expect(() => trust('/nowhere/ca.pem')).toThrow(
    'WEBHOOKS_CA_FILE: cannot read /nowhere/ca.pem as PEM certificates: ENOENT',
  );
});
