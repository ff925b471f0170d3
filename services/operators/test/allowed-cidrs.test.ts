import { expect, test } from '@jest/globals';
import { requireCidrs } from '../src/access/allowed-cidrs.ts';

test.each([
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.7', '192.0.2.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::1/48', '2001:db8::/48'],
  ['2001:db8::1', '2001:db8::1/128'],
])('%s is stored as %s', (given, stored) => {
  expect(requireCidrs([given])).toEqual([stored]);
});

test.each([
  'anywhere',
  '',
  '192.0.2.0/33',
  '192.0.2.0/-1',
  '192.0.2/24',
  '192.000.002.000/24',
  '0300.0.2.0/24',
  '192.0.2.0/24 ',
  '2001:db8::/129',
  'fe80::1%eth0/64',
  '::ffff:192.0.2.0/120',
  '::/0',
  '::ffff:0:0/90',
  '192.0.2.0/24/24',
])('%s is rejected', (given) => {
  expect(() => requireCidrs([given])).toThrow(expect.objectContaining({ kind: 'VALIDATION' }));
});

test('duplicates are stored once, and more than 50 are rejected', () => {
  expect(requireCidrs(['192.0.2.1/24', '192.0.2.2/24'])).toEqual(['192.0.2.0/24']);
  const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`);
  expect(requireCidrs(many(50))).toHaveLength(50);
  expect(() => requireCidrs(many(51))).toThrow(expect.objectContaining({ kind: 'VALIDATION' }));
});
