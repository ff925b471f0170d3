import { describe, expect, test } from '@jest/globals';
import { parseAllowedRange } from '../../src/egress/address-policy.ts';

describe('an opt-in is read', () => {
  test.each([
    ['127.0.0.0/8', '127.0.0.0', 8, undefined],
    ['10.1.2.3', '10.1.2.3', 32, undefined],
    ['10.1.2.3:8443', '10.1.2.3', 32, 8443],
    ['10.1.2.0/24:1', '10.1.2.0', 24, 1],
    ['0.0.0.0/0:65535', '0.0.0.0', 0, 65_535],
    ['::1/128', '::1', 128, undefined],
    ['::1', '::1', 128, undefined],
    ['fd00::/8:8443', 'fd00::', 8, 8443],
    ['[::1/128]:8443', '::1', 128, 8443],
    ['[FD00::1]', 'fd00::1', 128, undefined],
    ['FD00::/8', 'fd00::', 8, undefined],
    ['::ffff:1.2.3.4', '::ffff:102:304', 128, undefined],
    ['1.2.3.4/32', '1.2.3.4', 32, undefined],
  ])('%s', (text, address, bits, port) => {
    const allowed = parseAllowedRange(text);
    expect(allowed.range[0].toString()).toBe(address);
    expect(allowed.range[1]).toBe(bits);
    expect(allowed.port).toBe(port);
  });
});

describe('an opt-in is rejected', () => {
  test.each([
    '',
    'example.com',
    '127.0.0.1/33',
    '127.0.0.1/100',
    '10.1.2.3:0',
    '10.1.2.3:65536',
    '10.1.2.3:123456',
    '10.1.2.3:',
    '10.1.2.3/',
    '10.1.2.3/8/9',
    ' 10.1.2.3',
    '10.1.2.3 ',
    '256.0.0.1',
    '::1/129',
    '[::1/129]',
    '[::1',
    '[::1]:0',
    '[::1]:x',
    '[::1] ',
    ' [::1]',
    '::1/128:99999',
    '::1/128 ',
    ' ::1/128',
    '::g',
    '10.1.2.3/x',
  ])('%j', (text) => {
    expect(() => parseAllowedRange(text)).toThrow(
      new Error('expected CIDRs such as 127.0.0.0/8, 10.1.2.3:8443, ::1/128 or [::1/128]:8443'),
    );
  });
});
