import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { open, seal, sealingKeys } from '../src/index.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const ringOf = (...keys: string[]) => sealingKeys('SOME_KEYS').parse(keys.join(','));
const old = key('old');
const ring = ringOf(old);

test('sealed bytes open with their key, in their context, and unchanged only', () => {
  const bytes = randomBytes(100);
  const sealed = seal(ring, 'a', bytes);
  expect(open(ring, 'a', sealed)).toEqual(bytes);
  expect(() => open(ring, 'b', sealed)).toThrow();
  expect(() => open(ringOf(key('old')), 'a', sealed)).toThrow();
  for (let at = 0; at < sealed.sealed.length; at++) {
    const changed = Buffer.from(sealed.sealed);
    changed[at]! ^= 1;
    expect(() => open(ring, 'a', { ...sealed, sealed: changed })).toThrow();
  }
  for (const length of [0, 12, 27, 28, 127])
    expect(() =>
      open(ring, 'a', { ...sealed, sealed: sealed.sealed.subarray(0, length) }),
    ).toThrow();
});

test('equal bytes have a different ciphertext each time', () => {
  const [one, other] = [1, 2].map(() => seal(ring, 'a', Buffer.alloc(0)).sealed);
  expect(one!.equals(other!)).toBe(false);
  expect(open(ring, 'a', { keyId: 'old', sealed: one! })).toHaveLength(0);
});

test('a new first key seals, and the old key still opens', () => {
  const rotated = ringOf(key('new'), old);
  expect(seal(rotated, 'a', Buffer.of(1)).keyId).toBe('new');
  expect(open(rotated, 'a', seal(ring, 'a', Buffer.of(1)))).toEqual(Buffer.of(1));
});

test('a key that the ring lacks is named with its setting', () => {
  const sealed = seal(ring, 'a', Buffer.of(1));
  expect(() => open(ringOf(key('new')), 'a', sealed)).toThrow(
    'the bytes are encrypted with key old, which SOME_KEYS lacks: add the key',
  );
});

test('a ring with two keys of one id is rejected with the id', () => {
  expect(() => ringOf(key('a'), key('b'), key('b'))).toThrow('two keys have the id b');
  expect(ringOf(key('a'), key('b')).keys).toHaveLength(2);
  expect(() => ringOf()).toThrow('expected at least one id:key');
});

test('the setting of a ring is secret, and its error does not repeat a key', () => {
  const read = (value: string) =>
    readConfig({ keys: sealingKeys('SOME_KEYS') }, { SOME_KEYS: value });
  const { settings, masked } = read(` ${old} , ${key('new')}`);
  expect(settings.keys.keys.map(({ id }) => id)).toEqual(['old', 'new']);
  expect(masked).toEqual({ SOME_KEYS: '***' });
  const bad = old.slice(0, 30);
  expect(() => read(bad)).toThrow('SOME_KEYS: expected id:key, the key being 32 bytes in base64');
  expect(() => read(bad)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(bad) }),
  );
});
