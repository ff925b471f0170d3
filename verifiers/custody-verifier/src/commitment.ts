/**
 * Commitments to the personal fields of a payload (decision 70). The payload has
 * `{"commitment": HASH}` in place of the value; value and salt stand in the entry's member
 * `disclosed`, which no hash covers, and can be erased.
 */
import { sha256Hex } from '#sha256';
import { isHash } from './bytes.ts';
import { canonicalJson, type Disclosure } from './entry-hash.ts';
import { jsonFault, membersFault } from './read-json.ts';

/**
 * Computes the commitment to a field: 64 lower-case hexadecimal digits.
 * @throws TypeError for a value that JSON cannot represent.
 */
export const commitmentOf = (field: string, { value, salt }: Disclosure): string =>
  sha256Hex(canonicalJson({ v: 'commitment/1', field, value, salt }));

/** Returns the names of the fields to which a payload of checked form commits, in its order. */
export const committedFields = (payload: unknown): string[] =>
  Object.keys(payload ?? {}).filter((name) => commitmentIn(payload, name) !== null);

/** Returns the commitment that a payload has for a field; null if it has none. */
export const commitmentIn = (payload: unknown, field: string): string | null => {
  if (!fieldForm.test(field) || !Object.hasOwn(payload ?? {}, field)) return null;
  const member: unknown = (payload as Record<string, unknown>)[field];
  if (membersFault(member, ['commitment'])) return null;
  const { commitment } = member as { commitment: unknown };
  return isHash(commitment) ? commitment : null;
};

const fieldForm = /^[a-z][a-z0-9_]{0,63}$/;
const valueDepthMax = 32;

/** Returns why disclosed values are not those to which the payload commits, or null. */
export const disclosureFault = (payload: unknown, disclosed: unknown): string | null => {
  if (typeof disclosed !== 'object' || disclosed === null || Array.isArray(disclosed))
    return 'disclosed is not an object';
  for (const [field, given] of Object.entries(disclosed)) {
    const commitment = commitmentIn(payload, field);
    const fault =
      commitment === null
        ? 'the payload has no commitment to it'
        : fieldFault(field, given, commitment);
    if (fault) return `disclosed ${JSON.stringify(field.slice(0, 40))}: ${fault}`;
  }
  return null;
};

const fieldFault = (field: string, given: unknown, commitment: string): string | null => {
  const form = membersFault(given, ['value', 'salt']);
  if (form) return form;
  const { value, salt } = given as Disclosure;
  if (!isHash(salt)) return 'salt is not 64 lower-case hex digits';
  const fault = jsonFault(value, valueDepthMax);
  if (fault) return fault;
  return commitmentOf(field, { value, salt }) === commitment
    ? null
    : 'the value does not match its commitment';
};
