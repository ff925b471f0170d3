import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { clientAddress, isClientIn } from '@pto/access';
import { parseCidrs } from '@pto/config';
import { call, partnerOf, startGatewayService } from '../gateway-service.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addSubnet('fd00::', 8, 'ipv6');

test.each<[string, string | undefined, string | undefined, string]>([
  ['a peer is itself', '192.0.2.1', undefined, '192.0.2.1'],
  ['an untrusted peer may claim what he likes', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['a trusted proxy is believed', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  [
    'the rightmost untrusted one counts',
    '10.0.0.1',
    '1.1.1.1, 198.51.100.7, 10.9.9.9',
    '198.51.100.7',
  ],
  ['what a client wrote stands further left', '10.0.0.1', '10.0.0.5, 198.51.100.7', '198.51.100.7'],
  ['nonsense ends the chain at the proxy', '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
  ['proxies all the way: the first of them', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['mapped IPv4 is IPv4', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['mapped IPv4 in hexadecimal, too', '::FFFF:c000:201', undefined, '192.0.2.1'],
  ['a mapped proxy is trusted', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['IPv6 is its /64', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['however it is written', '2001:0DB8:1:2::', undefined, '2001:db8:1:2::/64'],
  ['through a proxy on IPv6', 'fd00::1', '2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['an entry with a port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
  ['proxies with ports', '10.0.0.1', '198.51.100.7:1, 10.9.9.9:65535', '198.51.100.7'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['IPv6 with a port', '10.0.0.1', '[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['quoted IPv6 with a port', '10.0.0.1', '"[2001:db8:1:2::1]:443"', '2001:db8:1:2::/64'],
  ['quoted IPv4', '10.0.0.1', ' "198.51.100.7:80" ', '198.51.100.7'],
  ['a mapped address with a port', '10.0.0.1', '[::ffff:198.51.100.7]:80', '198.51.100.7'],
  ['a port that is no number', '10.0.0.1', '198.51.100.7, 192.0.2.9:x', '10.0.0.1'],
  ['an open bracket', '10.0.0.1', '198.51.100.7, [2001:db8::1', '10.0.0.1'],
  ['IPv4 with leading zeros', '10.0.0.1', '198.051.100.7', '10.0.0.1'],
  ['an empty entry', '10.0.0.1', '198.51.100.7, ', '10.0.0.1'],
  ['an obfuscated name of RFC 7239', '10.0.0.1', '198.51.100.7, _hidden', '10.0.0.1'],
  ['with a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a peer that has gone', undefined, '198.51.100.7', ''],
])('%s', (_, peer, forwardedFor, expected) => {
  expect(clientAddress(peer, forwardedFor, trusted)).toBe(expected);
});

test('clients behind a proxy that adds ports are not counted as one', () => {
  const names = ['192.0.2.1:1', '192.0.2.2:1', '[2001:db8::1]:1', '[2001:db8:0:1::1]:1'].map(
    (entry) => clientAddress('10.0.0.1', entry, trusted),
  );
  expect(new Set(names).size).toBe(4);
});

test('one IPv6 household is throttled as one, a forged chain is not believed, good keys pass', async () => {
  const under = await startGatewayService({
    redisUrl: '',
    environment: { GATEWAY_FAILED_AUTH_PER_MINUTE: '3', GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  try {
    const ping = `${under.baseUrls[0]}/ping`;
    const { key } = await partnerOf(under);
    const from = async (chain: string, more = {}) =>
      (await call('GET', ping, { ...more, headers: { 'x-forwarded-for': chain } })).status;
    const household = ['::1', '::2', '::3:4', '::ffff'].map((end) => `2001:db8:0:1${end}`);
    const found = [];
    for (const address of household) found.push(await from(address));
    expect(found).toEqual([401, 401, 401, 429]);
    expect(await from(`198.51.100.1, ${household[0]}`)).toBe(429);
    expect(await from(household[1]!, { key })).toBe(200);
    expect(await from('2001:db8:0:2::1')).toBe(401);
  } finally {
    await under.stop();
  }
});

const ranges = parseCidrs('192.0.2.0/24,2001:db8:1:2:3::/80');

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
