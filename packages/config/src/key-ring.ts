import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Declaration } from './declaration.ts';
import { list } from './parsers.ts';

/** Secret keys with ids, which an operator can rotate. The first seals or signs; every key opens or verifies. */
export interface KeyRing {
  /** Name of the setting, for error messages. */
  readonly setting: string;
  readonly keys: readonly [NamedKey, ...NamedKey[]];
}

interface NamedKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: KeyObject;
}

/**
 * Declares the setting of a key ring: `id:base64`, comma-separated, keys of 32 bytes. The setting
 * is required and secret.
 */
export const keyRing = (name: string): Declaration<KeyRing> => ({
  name,
  parse: (text) => {
    const [first, ...others] = list(name, parseKey).parse(text);
    if (!first) throw new Error('expected at least one id:key');
    const keys = [first, ...others] as const;
    const ids = keys.map(({ id }) => id);
    const twice = ids.find((id, n) => ids.indexOf(id) < n);
    if (twice !== undefined)
      throw new Error(`expected each id once: two keys have the id ${twice}`);
    return { setting: name, keys };
  },
  secret: true,
});

/** Parses `id:base64`. @throws Error with the expected form, without the value. */
const parseKey = (text: string): NamedKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || key.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key: createSecretKey(key) };
};
