import { isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import {
  type EgressPolicy,
  judgeAddress,
  judgeUrl,
  parseAllowedRange,
  rejectBad,
} from '../../src/egress/address-policy.ts';
import { EgressError } from '../../src/egress/egress-error.ts';
import { faultyUrls, publicAddresses, refusedHosts } from './egress-attacks.ts';

const policyWith = (only443: boolean, ...allow: string[]): EgressPolicy => ({
  allow: allow.map(parseAllowedRange),
  only443,
});
const sandbox = policyWith(false);
const production = policyWith(true);

/** The first and the last address of each range of decision 44, and what the rejection says. */
const edges: readonly (readonly [string, string, string])[] = [
  ['0.0.0.0', '0.255.255.255', 'an unspecified'],
  ['10.0.0.0', '10.255.255.255', 'a private'],
  ['100.64.0.0', '100.127.255.255', 'a carrier-grade NAT'],
  ['127.0.0.0', '127.255.255.255', 'a loopback'],
  ['168.63.129.16', '168.63.129.16', 'a cloud platform'],
  ['169.254.0.0', '169.254.255.255', 'a link-local'],
  ['172.16.0.0', '172.31.255.255', 'a private'],
  ['192.0.0.0', '192.0.0.255', 'a protocol assignment'],
  ['192.0.2.0', '192.0.2.255', 'a documentation'],
  ['192.31.196.0', '192.31.196.255', 'a protocol assignment'],
  ['192.52.193.0', '192.52.193.255', 'a protocol assignment'],
  ['192.88.99.0', '192.88.99.255', 'a 6to4 relay'],
  ['192.168.0.0', '192.168.255.255', 'a private'],
  ['192.175.48.0', '192.175.48.255', 'a protocol assignment'],
  ['198.18.0.0', '198.19.255.255', 'a benchmarking'],
  ['198.51.100.0', '198.51.100.255', 'a documentation'],
  ['203.0.113.0', '203.0.113.255', 'a documentation'],
  ['224.0.0.0', '239.255.255.255', 'a multicast'],
  ['240.0.0.0', '255.255.255.255', 'a reserved'],
  ['::', '::', 'an unspecified'],
  ['::1', '::1', 'a loopback'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'a discard'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'a documentation'],
  ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'a protocol assignment'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', 'a protocol assignment'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'a documentation'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a segment routing'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a unique local'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a link-local'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a site-local'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a multicast'],
  ['::ffff:0:0', '::ffff:ffff:ffff', 'an IPv4-mapped'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff', 'an IPv4-translated'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', 'a NAT64'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'a NAT64'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'a Teredo'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a 6to4'],
  ['::2', '::2', 'a non-global'],
  ['4000::', '5eff::', 'a non-global'],
];

describe('an address', () => {
  test.each(edges)('from %s to %s is %s address', (first, last, what) => {
    for (const policy of [sandbox, production]) {
      expect(judgeAddress(first, 443, policy)).toBe(`is ${what} address`);
      expect(judgeAddress(last, 443, policy)).toBe(`is ${what} address`);
    }
  });

  test.each([
    ...publicAddresses,
    '192.31.195.255',
    '192.31.197.0',
    '192.52.192.255',
    '192.52.194.0',
    '192.175.47.255',
    '192.175.49.0',
    '168.63.129.15',
    '168.63.129.17',
    '2001:db7::',
    '2001:db9::',
    '2001:200::',
    '2620:4f:7fff::',
    '2620:4f:8001::',
    '3ffe:ffff::',
    '3fff:1000::',
    '2000::',
  ])('of the public Internet may be called: %s', (address) => {
    expect(judgeAddress(address, 443, production)).toBeNull();
    expect(judgeAddress(address, 8443, sandbox)).toBeNull();
    expect(judgeAddress(address, 8443, production)).toBe('must use port 443');
  });

  test('is rejected if it is none', () => {
    expect(judgeAddress('example.com', 443, sandbox)).toBe('is not a valid IP address');
    expect(judgeAddress('', 443, sandbox)).toBe('is not a valid IP address');
  });

  test('that an opt-in names may be called on its port alone', () => {
    const policy = policyWith(true, '10.1.2.0/24:8443', '::1/128');
    expect(judgeAddress('10.1.2.3', 8443, policy)).toBeNull();
    expect(judgeAddress('10.1.2.3', 443, policy)).toBe('is a private address');
    expect(judgeAddress('10.1.3.3', 8443, policy)).toBe('is a private address');
    expect(judgeAddress('::1', 9, policy)).toBeNull();
  });

  test('that carries an IPv4 address is rejected in spite of an opt-in', () => {
    const policy = policyWith(false, '127.0.0.0/8', '::/0');
    expect(judgeAddress('::ffff:127.0.0.1', 443, policy)).toBe('is an IPv4-mapped address');
  });

  test('that is rejected is an error of the egress', () => {
    expect(() => rejectBad('10.0.0.1', 443, sandbox)).toThrow(
      new EgressError('egress_refused', 'is a private address'),
    );
    expect(() => rejectBad('10.0.0.1', 443, sandbox, 'resolves to')).toThrow(
      new EgressError('egress_refused', 'resolves to a private address'),
    );
    expect(() => rejectBad('8.8.8.8', 443, sandbox)).not.toThrow();
    expect(catchFault(() => rejectBad('10.0.0.1', 443, sandbox))).toBe('egress_refused');
  });
});

describe('a URL', () => {
  test.each(faultyUrls)('%j %s', (url, fault) => {
    expect(judgeUrl(url, production)).toBe(fault);
  });

  test.each(refusedHosts)('of the host %s is rejected: %s', (host, reason) => {
    expect(judgeUrl(`https://${host}/`, sandbox)).toContain(reason);
  });

  test.each(publicAddresses)('of the public address %s may be called', (address) => {
    const host = isIP(address) === 6 ? `[${address}]` : address;
    expect(judgeUrl(`https://${host}/h?a=b\\c`, production)).toBeNull();
    expect(judgeUrl(`https://${host}:8443/`, sandbox)).toBeNull();
  });

  test.each([
    'https://user@example.com/',
    'https://:pass@example.com/',
    'https://u:p@example.com/',
  ])('with credentials is rejected: %s', (url) =>
    expect(judgeUrl(url, sandbox)).toBe('must not contain credentials'),
  );

  test.each([
    'https://example.com/a@b',
    'https://example.com?a@b',
    'https://example.com/?u=https://a@b',
    'HTTPS://example.com/',
  ])('with an at sign behind its host may be called: %s', (url) =>
    expect(judgeUrl(url, production)).toBeNull(),
  );

  test('of a name uses port 443 in production, or a port of an opt-in', () => {
    expect(judgeUrl('https://example.com:8443/', production)).toBe('must use port 443');
    expect(judgeUrl('https://example.com:443/', production)).toBeNull();
    expect(judgeUrl('https://example.com:8443/', sandbox)).toBeNull();
    const onePort = policyWith(true, '10.0.0.0/8:8443');
    expect(judgeUrl('https://example.com:8443/', onePort)).toBeNull();
    expect(judgeUrl('https://example.com:8444/', onePort)).toBe('must use port 443');
    expect(judgeUrl('https://example.com:8444/', policyWith(true, '10.0.0.0/8'))).toBeNull();
  });
});

const catchFault = (call: () => void): string | undefined => {
  try {
    call();
  } catch (error) {
    if (error instanceof EgressError) return error.fault;
  }
  return undefined;
};
