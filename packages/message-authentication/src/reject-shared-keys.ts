import { ConfigError, type KeyRing } from '@pto/config';

/**
 * Checks that two rings have no key in common: with a common key one service could sign as another.
 * @throws ConfigError if the rings have a common key.
 */
export const rejectSharedKeys = (one: KeyRing, other: KeyRing): void => {
  for (const { key } of one.keys)
    if (other.keys.some((theirs) => theirs.key.equals(key)))
      throw new ConfigError([
        `${one.setting} and ${other.setting} hold the same key: make one for each`,
      ]);
};
