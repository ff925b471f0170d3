import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { passesHandshake } from '../src/handshake/verdict.ts';
import { newNonce, verificationUrl } from '../src/handshake/verification.ts';

const nonce = 'pQ3v_7XkN2m-9aB4cD5eF6gH7iJ8kL9mN0oP1qR2sT3';
const answer = (body: string, statusCode = 200) => ({ statusCode, body: Buffer.from(body) });

describe('passes', () => {
  test.each([
    ['the bare nonce', nonce],
    ['with a line break', `${nonce}\n`],
    ['with spaces around', `  ${nonce}\r\n `],
    ['as a JSON string', JSON.stringify(nonce)],
    ['as a member of a JSON object', JSON.stringify({ verification: nonce })],
    ['under any name', JSON.stringify({ ok: true, n: 1, challenge: nonce })],
  ])('%s', (_, body) => {
    expect(passesHandshake(answer(body), nonce)).toBe(true);
  });

  test.each([200, 201, 202, 204, 299])('status %i', (status) => {
    expect(passesHandshake(answer(nonce, status), nonce)).toBe(true);
  });
});

describe('does not pass', () => {
  test.each([
    ['nothing', ''],
    ['a page that prints its own URL', `<p>https://x.example/?verification=${nonce}</p>`],
    ['the nonce with more behind it', `${nonce}x`],
    ['the nonce twice', `${nonce} ${nonce}`],
    ['another case', nonce.toLowerCase()],
    ['inside an array', JSON.stringify([nonce])],
    ['deeper in an object', JSON.stringify({ data: { verification: nonce } })],
    ['as the name of a member', JSON.stringify({ [nonce]: true })],
    ['as part of a member', JSON.stringify({ url: `?verification=${nonce}` })],
    ['broken JSON', `{"verification":"${nonce}"`],
    ['null', 'null'],
  ])('%s', (_, body) => {
    expect(passesHandshake(answer(body), nonce)).toBe(false);
  });

  test.each([100, 199, 300, 301, 302, 400, 404, 500])('status %i with the nonce', (status) => {
    expect(passesHandshake(answer(nonce, status), nonce)).toBe(false);
  });

  test('any bytes that are not the nonce', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        return !passesHandshake({ statusCode: 200, body }, nonce);
      }),
    );
  });
});

describe('the nonce in the URL', () => {
  test.each([
    ['https://a.example/hooks', 'https://a.example/hooks?verification=N'],
    ['https://a.example/hooks?', 'https://a.example/hooks?verification=N'],
    ['https://a.example', 'https://a.example/?verification=N'],
    ['https://a.example/h?b=2&a=%20x+y', 'https://a.example/h?b=2&a=%20x+y&verification=N'],
  ])('%s', (url, asked) => {
    expect(verificationUrl(url, 'N').href).toBe(asked);
  });

  test('is 32 random bytes, and never the same', () => {
    const nonces = Array.from({ length: 1000 }, newNonce);
    expect(new Set(nonces).size).toBe(1000);
    for (const one of nonces) expect(one).toMatch(/^[\w-]{43}$/);
  });
});
