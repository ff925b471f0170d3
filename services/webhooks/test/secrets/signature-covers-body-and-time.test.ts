import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { signatureHeader, signingKey } from '../../src/secrets/sign.ts';
import { verifySignature } from '../verify-signature.ts';

const secret = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789abc';
const body = Buffer.from('{"event":"order.test","note":"ä😀"}');
const t = 1_700_000_000;

test('the golden vectors, made with openssl', () => {
  expect(signatureHeader([signingKey(secret)], t, body)).toBe(
    't=1700000000,v1=4049581ec8b982a66d4cd6fa9a84ca966f8fe38678989464cee3b5b52b4de964',
  );
  expect(signatureHeader([signingKey('whsec_x')], 0, Buffer.alloc(0))).toBe(
    't=0,v1=4e8c2621ad6b7e8ee9325e803d12429025d82e5abc79b476cf0efabfaf9a6e57',
  );
});

test('several secrets sign side by side, the newest first', async () => {
  const header = signatureHeader([signingKey('whsec_new'), signingKey('whsec_old')], t, body);
  expect(header.split(',').map((part) => part.split('=')[0])).toEqual(['t', 'v1', 'v1']);
  for (const one of ['whsec_new', 'whsec_old'])
    expect(await verifySignature(header, body, one, t)).toBe(true);
});

describe('a receiver that verifies as contract 6.4 says', () => {
  const header = signatureHeader([signingKey(secret)], t, body);

  test.each([
    ['at once', t, true],
    ['300 s later', t + 300, true],
    ['300 s early', t - 300, true],
    ['301 s later', t + 301, false],
    ['301 s early', t - 301, false],
  ])('%s', async (_, now, accepted) => {
    expect(await verifySignature(header, body, secret, now)).toBe(accepted);
  });

  test('refuses another secret, another time, and any changed byte', async () => {
    expect(await verifySignature(header, body, `${secret}x`, t)).toBe(false);
    expect(await verifySignature(header.replace('t=17', 't=18'), body, secret, t)).toBe(false);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(body.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(body);
          changed[at] = changed[at]! ^ by;
          return !(await verifySignature(header, changed, secret, t));
        },
      ),
    );
  });
});
