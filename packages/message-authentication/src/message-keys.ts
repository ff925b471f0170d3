import { createSecretKey, type KeyObject } from 'node:crypto';
import { ConfigError, type Declaration, list } from '@pto/config';
import { Hmac } from './hmac.ts';

/** The keys that two services share. The first signs, all verify. */
export interface MessageKeys {
  /** The setting's name, for messages. */
  readonly setting: string;
  readonly first: MessageKey;
  readonly byId: ReadonlyMap<string, MessageKey>;
}

export interface MessageKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: KeyObject;
  readonly hmac: Hmac;
}

/** The setting of a key ring: `id:base64`, comma-separated, 32 bytes each. Required and secret. */
export const messageKeys = (name: string): Declaration<MessageKeys> => {
  const keys = list(name, parseKey);
  return { name, parse: (text) => toRing(name, keys.parse(text)), secret: true };
};

/** @throws ConfigError where a key is in both rings: one service could then sign for another. */
export const rejectSharedKeys = (one: MessageKeys, other: MessageKeys): void => {
  for (const { key } of one.byId.values())
    if ([...other.byId.values()].some((theirs) => theirs.key.equals(key)))
      throw new ConfigError([
        `${one.setting} and ${other.setting} hold the same key: make one for each`,
      ]);
};

/** @throws Error without the value. */
const parseKey = (text: string): MessageKey => {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=?)$/.exec(text) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || bytes.length !== 32)
    throw new Error('expected id:key, the key being 32 bytes in base64');
  return { id, key: createSecretKey(bytes), hmac: new Hmac(bytes) };
};

/** @throws Error where the ring is empty or an id stands for two keys. */
const toRing = (setting: string, keys: readonly MessageKey[]): MessageKeys => {
  const [first] = keys;
  if (!first) throw new Error('expected at least one id:key');
  const byId = new Map(keys.map((key) => [key.id, key]));
  if (byId.size < keys.length) throw new Error('expected each id once');
  return { setting, first, byId };
};
