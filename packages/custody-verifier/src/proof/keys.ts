import { isInstant } from '../entry-form.ts';
import { readMembers } from '../json/members.ts';
import { parseVkey, type VerifierKey } from '../note/vkey.ts';
import { Refused } from '../refused.ts';
import type { ProofKey } from './proof-file.ts';

/** A key with the time after which nothing is signed by it: null for none known. */
export interface DatedKey extends VerifierKey {
  readonly validUntil: string | null;
}

/**
 * The keys that a proof file brings.
 * @throws Refused
 */
export const readKeys = (keys: unknown): DatedKey[] => {
  if (!Array.isArray(keys)) throw new Refused('keys is not an array');
  if (keys.length > keysMax) throw new Refused(`more than ${keysMax} keys`);
  return distinct(keys.map(readKey));
};

/**
 * Keys that the caller has got elsewhere.
 * @throws Refused
 */
export const readTrustedKeys = (vkeys: readonly string[]): DatedKey[] =>
  distinct(vkeys.map((vkey) => ({ ...parseVkey(vkey), validUntil: null })));

const keysMax = 100;

const readKey = (value: unknown): DatedKey => {
  const key = readMembers<keyof ProofKey>(value, ['vkey', 'valid_from', 'valid_until']);
  const { valid_from: from, valid_until: until } = key;
  if (!isInstant(from) || (until !== null && !isInstant(until)))
    throw new Refused('a time of a key is not written YYYY-MM-DDTHH:mm:ss.sssZ');
  if (until !== null && until < from) throw new Refused('the use of a key ends before it begins');
  return { ...parseVkey(key.vkey), validUntil: until };
};

const distinct = (keys: DatedKey[]): DatedKey[] => {
  if (new Set(keys.map(({ name, id }) => `${name}+${id}`)).size < keys.length)
    throw new Refused('a key stands there twice');
  return keys;
};
