import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newNonce, verificationUrl } from '../../src/handshake/handshake.ts';
import { rejectionOf } from '../../src/handshake/proof.ts';

const nonce = 'pQ3v_7XkN2m-9aB4cD5eF6gH7iJ8kL9mN0oP1qR2sT3';
const decoy = 'd0c0ffee00000000000000000000beef';
const answer = (body: string, statusCode = 200) => ({ statusCode, body: Buffer.from(body) });
const url = 'https://hooks.example/h?tenant=7&token=t';
const rejected = (body: string, statusCode = 200) =>
  rejectionOf(answer(body, statusCode), { nonce, decoy });

describe('passes', () => {
  test.each([
    ['the bare nonce', nonce],
    ['with a line break', `${nonce}\n`],
    ['with spaces around', `  ${nonce}\r\n `],
    ['as a JSON string', JSON.stringify(nonce)],
    ['as a member of a JSON object', JSON.stringify({ verification: nonce })],
    ['under any name', JSON.stringify({ ok: true, n: 1, challenge: nonce })],
    ['under two names', JSON.stringify({ verification: nonce, challenge: nonce })],
    ['beside a parameter of the URL', JSON.stringify({ tenant: '7', verification: nonce })],
    ['beside all of them', JSON.stringify({ tenant: '7', token: 't', verification: nonce })],
    ['escaped', `{"verification":"\\u0070${nonce.slice(1)}"}`],
  ])('%s', (_, body) => {
    expect(rejected(body)).toBeNull();
  });

  test.each([200, 201, 202, 204, 299])('status %i', (status) => {
    expect(rejected(nonce, status)).toBeNull();
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
    expect(rejected(body)).toBe('body');
  });

  test.each([100, 199, 400, 404, 500])('status %i with the nonce', (status) => {
    expect(rejected(nonce, status)).toBe('status');
  });

  test.each([300, 301, 302, 399])('redirect %i with the nonce', (status) => {
    expect(rejected(nonce, status)).toBe('redirect');
  });

  test('any bytes that are not the nonce', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        return rejectionOf({ statusCode: 200, body }, { nonce, decoy }) !== null;
      }),
    );
  });
});

describe('an echo service does not pass', () => {
  const asked = `${url}&verification=${nonce}`;
  const headers = { host: 'hooks.example', accept: '*/*', 'x-service-handshake': decoy };
  test.each([
    ['its headers beside the nonce', { verification: nonce, headers }],
    ['its headers at top level', { ...headers, verification: nonce }],
    ['its URL beside the nonce', { verification: nonce, url: asked }],
    ['its parameters beside the nonce', { verification: nonce, args: { verification: nonce } }],
    ['its path beside the nonce', { tenant: '7', verification: nonce, path: asked.slice(21) }],
    ['its query beside two of the nonce', { a: nonce, b: nonce, query: `verification=${nonce}` }],
  ])('%s', (_, body) => {
    expect(rejected(JSON.stringify(body))).toBe('echo');
  });

  test.each([
    [
      'httpbin',
      { args: { tenant: '7', token: 't', verification: nonce }, headers: {}, url: asked },
    ],
    ['a log of requests', { method: 'GET', path: asked }],
  ])('%s, which has no member that is the nonce', (_, body) => {
    expect(rejected(JSON.stringify(body))).toBe('body');
  });

  test('text that repeats a header', () => {
    expect(rejected(`GET ${asked}\nx-service-handshake: ${decoy}`)).toBe('echo');
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
