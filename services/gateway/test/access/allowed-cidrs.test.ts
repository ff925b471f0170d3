import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { rangesOf, requireCidrs } from '../../src/access/allowed-cidrs.ts';
import { isClientIn } from '../../src/authentication/client-address.ts';

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

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
const ranges = rangesOf(['192.0.2.0/24', '2001:db8:1:2:3::/80']);

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['a peer in a range', '192.0.2.7', undefined, true],
  ['a peer outside', '198.51.100.7', undefined, false],
  ['a mapped peer in a range', '::ffff:192.0.2.7', undefined, true],
  ['a client behind a trusted proxy', '10.0.0.1', '192.0.2.7:80', true],
  ['a claim of an untrusted peer', '198.51.100.7', '192.0.2.7', false],
  ['a claim to the left of the real client', '10.0.0.1', '192.0.2.7, 198.51.100.7', false],
  ['the proxy itself', '10.0.0.1', undefined, false],
  ['IPv6 by its own address, not by its /64', '2001:db8:1:2:3::9', undefined, true],
  ['IPv6 in the same /64 outside the range', '2001:db8:1:2:4::9', undefined, false],
  ['a peer that has gone', undefined, '192.0.2.7', false],
])('%s', (_, peer, forwardedFor, expected) => {
  expect(isClientIn(ranges, peer, forwardedFor, trusted)).toBe(expected);
});
