import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { isClientIn } from '@pto/access';
import { rangesOf } from '../../src/authentication/find-credentials.ts';

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
