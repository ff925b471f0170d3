import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import { parseAnnouncedCertificates } from '../../src/site/connectivity/announced-certificates.ts';

let first: Authority;
let second: Authority;
beforeAll(() => {
  [first, second] = [makeAuthority(), makeAuthority()];
});
afterAll(() => {
  first.forget();
  second.forget();
});

const parse = (text: string) => parseAnnouncedCertificates(Buffer.from(text));
const fingerprint = ({ cert }: Authority) => new X509Certificate(cert).fingerprint256;

test('each certificate has the time that stands before it', () => {
  const text = `The present one\n${first.cert}\nIn-use-from: 2027-01-15T09:00:00+01:00\n${second.cert}`;
  const found = parse(text.replaceAll('\n', '\r\n'));
  expect(found.map((one) => [one.certificate.fingerprint256, one.inUseFrom])).toEqual([
    [fingerprint(first), null],
    [fingerprint(second), '2027-01-15T08:00:00.000Z'],
  ]);
});

test('ten certificates are accepted', () => {
  expect(parse(first.cert.repeat(10))).toHaveLength(10);
});

describe('a file is rejected, and the error repeats nothing of it,', () => {
  const keyOf = (kind: string) => () =>
    first.cert + first.key.replaceAll('PRIVATE KEY', `${kind} KEY`);
  const cases: readonly (readonly [string, () => string, RegExp])[] = [
    ['with a private key', keyOf('PRIVATE'), /contains a private or public key/],
    ['with a private key of RSA', keyOf('RSA PRIVATE'), /contains a private or public key/],
    ['with an encrypted key', keyOf('ENCRYPTED PRIVATE'), /contains a private or public key/],
    ['that is empty', () => '', /expected 1 to 10 certificates/],
    ['with eleven certificates', () => first.cert.repeat(11), /expected 1 to 10 certificates/],
    [
      'with a request',
      () => first.cert.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'),
      /expected/,
    ],
    ['that is cut', () => first.cert.slice(0, -20), /expected 1 to 10 certificates/],
    [
      'with torn bytes',
      () => first.cert.replace(/\nMII\w{9}/, '\nMIIAAAAAAAAA'),
      /cannot be parsed/,
    ],
    [
      'with an authority',
      () => readFileSync(first.caFile, 'utf8'),
      /certificate 1 is an authority/,
    ],
    [
      'with no time',
      () => `In-use-from: tomorrow\n${first.cert}`,
      /certificate 1: In-use-from must/,
    ],
  ];
  test.each(cases)('%s', (_, text, words) => {
    expect(() => parse(text())).toThrow(words);
    let message = '';
    try {
      parse(text());
    } catch (error) {
      message = String(error);
    }
    for (const line of first.key.split('\n').filter((one) => /^\w{20}/.test(one)))
      expect(message).not.toContain(line);
    expect(message).not.toContain('tomorrow');
  });
});
