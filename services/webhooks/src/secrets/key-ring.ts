/** Keys that encrypt webhook secrets at rest. The first key encrypts; every key can decrypt. */
export type KeyRing = readonly SealingKey[];

export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Parses one entry of WEBHOOKS_SECRET_KEYS: `id:base64`, a key of 32 bytes.
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
export const keyRing = (keys: readonly SealingKey[]): KeyRing => {
  if (keys.length === 0) throw new Error('expected at least one id:key');
  const ids = keys.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) < n);
  if (twice !== undefined) throw new Error(`two keys have the id ${twice}`);
  return keys;
};
