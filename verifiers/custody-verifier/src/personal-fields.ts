/** Says which personal fields of a verified chain are disclosed, erased or withheld. */
import { committedFields } from './commitment.ts';
import type { ChainEntry } from './entry-hash.ts';

/** A personal field of an entry. */
export interface PersonalField {
  /** The entry's number, from 1. */
  readonly entry: number;
  readonly field: string;
}

/** The personal fields of a history: no field is in two lists. */
export interface PersonalFields {
  /** The file has their values, which match the commitments in the chain. */
  readonly recomputed: readonly PersonalField[];
  /** The file has no value, and a later entry says that it was erased, at `at` (`ts_utc`). */
  readonly erased: readonly (PersonalField & { readonly at: string })[];
  /** The file has no value, and no entry says that it was erased. */
  readonly withheld: readonly PersonalField[];
}

/** Sorts the personal fields of a chain that `verifyChain` found valid. */
export const personalFieldsOf = (entries: readonly ChainEntry[]): PersonalFields => {
  const erasures = erasuresIn(entries);
  const [recomputed, erased, withheld]: [
    PersonalField[],
    (PersonalField & { at: string })[],
    PersonalField[],
  ] = [[], [], []];
  entries.forEach(({ payload, disclosed = {} }, n) => {
    for (const field of committedFields(payload)) {
      const one = { entry: n + 1, field };
      const at = erasures.get(`${one.entry} ${field}`);
      if (Object.hasOwn(disclosed, field)) recomputed.push(one);
      else if (at !== undefined) erased.push({ ...one, at });
      else withheld.push(one);
    }
  });
  return { recomputed, erased, withheld };
};

/**
 * Returns the times of erasures by entry and field. An entry `PERSONAL_DATA_ERASED` has the numbers
 * of earlier entries by field; anything else in it is ignored.
 */
const erasuresIn = (entries: readonly ChainEntry[]): ReadonlyMap<string, string> => {
  const times = new Map<string, string>();
  entries.forEach((entry, n) => {
    if (entry.internal_type !== 'PERSONAL_DATA_ERASED') return;
    const { erased } = (entry.payload ?? {}) as { erased?: unknown };
    if (typeof erased !== 'object' || erased === null || Array.isArray(erased)) return;
    for (const [field, numbers] of Object.entries(erased))
      for (const number of Array.isArray(numbers) ? numbers : [])
        if (typeof number === 'number' && number <= n && !times.has(`${number} ${field}`))
          times.set(`${number} ${field}`, entry.ts_utc);
  });
  return times;
};

/** Returns the part of the headline about erased fields; empty if none is erased (decision 72). */
export const erasedClause = ({ erased }: PersonalFields): string => {
  if (erased.length === 0) return '';
  const days = erased.map(({ at }) => at.slice(0, 10)).sort();
  const [first, last] = [days[0]!, days.at(-1)!];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  return `; ${erased.length} ${erased.length === 1 ? 'field' : 'fields'} erased ${when}`;
};

/** Returns sentences that name the recomputed and the withheld fields; empty if there are none. */
export const disclosedSentences = ({ recomputed, withheld }: PersonalFields): string =>
  named('Recomputed', recomputed) + named('Not disclosed', withheld);

const namedMax = 20;

const named = (what: string, fields: readonly PersonalField[]): string => {
  if (fields.length === 0) return '';
  const names = fields.slice(0, namedMax).map(({ entry, field }) => `${field} (entry ${entry})`);
  const more = fields.length > namedMax ? ` and ${fields.length - namedMax} more` : '';
  return ` ${what}: ${names.join(', ')}${more}.`;
};
