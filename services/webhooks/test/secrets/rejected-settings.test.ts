import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { trust } from '../../src/egress/tls.ts';
import { keyRing } from '../../src/secrets/seal.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });

test('a ring with two keys of one id is rejected with the id', () => {
  expect(() => keyRing([key('a'), key('b'), key('b')])).toThrow('two keys have the id b');
  expect(keyRing([key('a'), key('b')])).toHaveLength(2);
});

test('a file of certificates that cannot be read is rejected with its path', () => {
  expect(() => trust('/nowhere/ca.pem')).toThrow(
    'WEBHOOKS_CA_FILE: cannot read /nowhere/ca.pem as PEM certificates: ENOENT',
  );
});
