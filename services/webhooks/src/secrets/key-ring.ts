/** The keys that secrets are sealed with at rest. All open, the first seals. */
export type KeyRing = readonly SealingKey[];

export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** One entry of WEBHOOKS_SECRET_KEYS: `id:base64`, 32 bytes. @throws Error without the value. */
export const parseSealingKey = (text: string): SealingKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || key.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key };
};

/** @throws Error where the ring is empty or an id stands for two keys. */
export const keyRing = (keys: readonly SealingKey[]): KeyRing => {
  if (keys.length === 0) throw new Error('expected at least one id:key');
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new Error('expected each id once');
  return keys;
};
