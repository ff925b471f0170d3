/** Reads the entries of a proof file, and which of their personal fields were erased. Pure. */
import { listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

export interface Entry {
  /** Number of the entry in the history, from 1. */
  readonly number: number;
  readonly internalType: string;
  /** `ts_utc` as the file has it. */
  readonly at: string;
  readonly payload: Members;
  /** Latitude and longitude in degrees, WGS 84; null if the entry has no position. */
  readonly position: readonly [number, number] | null;
  readonly hash: string;
  /** The personal fields of the payload. */
  readonly personal: ReadonlyMap<string, PersonalValue>;
}

/** A personal field: its value, or why the file does not have the value. */
export type PersonalValue =
  | { readonly state: 'disclosed'; readonly value: string }
  | { readonly state: 'erased'; readonly at: string }
  | { readonly state: 'withheld' };

/** Returns the entries of a proof file, oldest first. */
export const entriesOf = (proof: Members): readonly Entry[] => {
  const entries = listOf(proof.entries).map(membersOf);
  const erasures = erasuresIn(entries);
  return entries.map((entry, n) => {
    const [lat, lng] = [numberOf(entry.gps_lat), numberOf(entry.gps_lng)];
    return {
      number: n + 1,
      internalType: textOf(entry.internal_type),
      at: textOf(entry.ts_utc),
      payload: membersOf(entry.payload),
      position: lat === null || lng === null ? null : [lat, lng],
      hash: textOf(entry.event_hash),
      personal: personalOf(n + 1, entry, erasures),
    };
  });
};

/** Times of erasures by number of the entry and field. */
type Erasures = ReadonlyMap<string, string>;

/** An entry `PERSONAL_DATA_ERASED` names earlier entries by field; anything else is ignored. */
const erasuresIn = (entries: readonly Members[]): Erasures => {
  const times = new Map<string, string>();
  entries.forEach((entry, n) => {
    if (entry.internal_type !== 'PERSONAL_DATA_ERASED') return;
    for (const [field, numbers] of Object.entries(membersOf(membersOf(entry.payload).erased)))
      for (const number of listOf(numbers))
        if (typeof number === 'number' && number <= n && !times.has(`${number} ${field}`))
          times.set(`${number} ${field}`, textOf(entry.ts_utc));
  });
  return times;
};

const personalOf = (
  number: number,
  entry: Members,
  erasures: Erasures,
): ReadonlyMap<string, PersonalValue> => {
  const disclosed = membersOf(entry.disclosed);
  const fields = Object.entries(membersOf(entry.payload)).filter(([, value]) =>
    Object.hasOwn(membersOf(value), 'commitment'),
  );
  return new Map(
    fields.map(([field]): [string, PersonalValue] => {
      const at = erasures.get(`${number} ${field}`);
      if (Object.hasOwn(disclosed, field)) {
        const value = textOf(membersOf(disclosed[field]).value);
        return [field, { state: 'disclosed', value }];
      }
      return [field, at === undefined ? { state: 'withheld' } : { state: 'erased', at }];
    }),
  );
};
