import { afterEach, expect, jest, test } from '@jest/globals';
import { parseVkey } from '../../src/index.ts';
import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { isSignedBy } from '../../src/note/signed-note.ts';
import { Unchecked } from '../../src/web-crypto.ts';
import { logKey } from '../samples/a-signed-log.ts';
import { withCrypto } from '../with-crypto.ts';

const key = parseVkey(vkeyOfSigner(logKey));
const nothing = new Uint8Array();

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([[undefined], [{}]])('without Web Crypto nothing is judged (crypto is %j)', (crypto) =>
  withCrypto(crypto, () =>
    expect(isSignedBy(key, nothing, nothing)).rejects.toThrow(
      new Unchecked('crypto.subtle is missing; is the page on HTTPS?'),
    ),
  ),
);

test('without Ed25519 nothing is judged', async () => {
  const unknown = Object.assign(new Error('Unrecognized name.'), { name: 'NotSupportedError' });
  jest.spyOn(crypto.subtle, 'importKey').mockRejectedValue(unknown as never);
  await expect(isSignedBy(key, nothing, nothing)).rejects.toThrow(
    new Unchecked('its crypto.subtle does not know Ed25519'),
  );
});

test('what is not judged is a rejection in words', () => {
  expect(new Unchecked('no').message).toBe('this program cannot check signatures: no');
});

test('bytes that are no key have signed nothing', async () => {
  const noKey = { publicKey: new Uint8Array(31) };
  expect(await isSignedBy(noKey, new Uint8Array(64), nothing)).toBe(false);
});

test('a key is for verification alone, and stays where it is', async () => {
  const importKey = jest.spyOn(crypto.subtle, 'importKey');
  expect(await isSignedBy(key, new Uint8Array(64), nothing)).toBe(false);
  expect(importKey.mock.calls[0]?.slice(2)).toEqual(['Ed25519', false, ['verify']]);
});
