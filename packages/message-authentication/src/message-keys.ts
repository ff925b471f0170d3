import { createSecretKey, type KeyObject } from 'node:crypto';
import { ConfigError, type Declaration, list } from '@pto/config';

/** The keys that two services share. The first key signs; every key verifies. */
export interface MessageKeys {
  /** Name of the setting, for error messages. */
  readonly setting: string;
  readonly first: MessageKey;
  readonly byId: ReadonlyMap<string, MessageKey>;
}

interface MessageKey {
  readonly id: string;
  /** The secret key, 32 bytes. */
  readonly key: KeyObject;
}

/**
 * Declares the setting of a key ring: `id:base64`, comma-separated, keys of 32 bytes. The setting
 * is required and secret.
 */
export const messageKeys = (name: string): Declaration<MessageKeys> => {
  const keys = list(name, parseKey);
  return { name, parse: (text) => toRing(name, keys.parse(text)), secret: true };
};

/**
 * Checks that two rings have no key in common: with a common key one service could sign as another.
 * @throws ConfigError if the rings have a common key.
 */
export const rejectSharedKeys = (one: MessageKeys, other: MessageKeys): void => {
  for (const { key } of one.byId.values())
    if ([...other.byId.values()].some((theirs) => theirs.key.equals(key)))
      throw new ConfigError([
        `${one.setting} and ${other.setting} hold the same key: make one for each`,
      ]);
};

/** Parses `id:base64`. @throws Error with the expected form, without the value. */
const parseKey = (text: string): MessageKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || bytes.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key: createSecretKey(bytes) };
};

/** Returns the keys as a ring. @throws Error if there is no key or two keys have one id. */
const toRing = (setting: string, keys: readonly MessageKey[]): MessageKeys => {
  const [first] = keys;
  if (!first) throw new Error('expected at least one id:key');
  const byId = new Map(keys.map((key) => [key.id, key]));
  if (byId.size < keys.length) throw new Error('expected each id once');
  return { setting, first, byId };
};
