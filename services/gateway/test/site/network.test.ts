import { expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { settings } from '../../src/config.ts';
import { parseNetwork } from '../../src/site/connectivity/network.ts';

test.each([
  ['192.0.2.0/28', '192.0.2.0/28'],
  ['198.51.100.7', '198.51.100.7/32'],
  ['2001:DB8::/64', '2001:db8::/64'],
  ['2001:db8::7', '2001:db8::7/128'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('%s is accepted', (given, network) => {
  expect(parseNetwork(given)).toBe(network);
});

test.each([
  '192.0.2.7/28',
  '192.0.2.0/33',
  '10.1',
  '0x7f000001',
  '2001:db8::1/64',
  'a.example',
  '/8',
])('%s is rejected', (given) => {
  expect(() => parseNetwork(given)).toThrow('expected networks such as');
});

test('the process does not start with a wrong network', () => {
  expect(() => readConfig(settings, { EGRESS_ADDRESSES: '192.0.2.0/28,192.0.2.99/28' })).toThrow(
    'EGRESS_ADDRESSES: expected networks such as',
  );
});
