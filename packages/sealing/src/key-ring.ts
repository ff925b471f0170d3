import { type Declaration, list } from '@pto/config';

/** Keys that encrypt bytes at rest. The first key encrypts; every key can decrypt. */
export interface KeyRing {
  /** Name of the setting, for error messages. */
  readonly setting: string;
  /** At least one key, each with an id of its own. */
  readonly keys: readonly SealingKey[];
}

export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/**
 * Declares the setting of a key ring: `id:base64`, comma-separated, keys of 32 bytes. The setting
 * is required and secret.
 */
export const sealingKeys = (name: string): Declaration<KeyRing> => {
  const keys = list(name, parseSealingKey);
  return { name, parse: (text) => keyRing(name, keys.parse(text)), secret: true };
};

/**
 * Parses one key of a ring: `id:base64`, a key of 32 bytes.
 * @throws Error with the expected form, without the value.
 */
export const parseSealingKey = (text: string): SealingKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || key.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key };
};

/** Returns the keys as a ring. @throws Error if there is no key or two keys have one id. */
export const keyRing = (setting: string, keys: readonly SealingKey[]): KeyRing => {
  if (keys.length === 0) throw new Error('expected at least one id:key');
  const ids = keys.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) < n);
  if (twice !== undefined) throw new Error(`two keys have the id ${twice}`);
  return { setting, keys };
};
