/**
 * Describes the entries of a custody history in words: who had the goods when. Pure. Accepts any
 * JSON value, because anybody may have written the file.
 */
import { type Members, membersOf } from '@pto/custody-verifier/entry-members';
import { titleOfType } from '@pto/custody-verifier/entry-title';
import { firstHolder, type Holder, holderAfter } from '@pto/custody-verifier/holder';
import { type Fact, factsOf } from './entry-facts.ts';
import { shownText } from './shown-text.ts';

export interface DescribedEntry {
  /** `2026-01-15 09:30:00 UTC`, or the entry's own text if it is not such a time. */
  readonly time: string;
  /** The entry's type in words, such as "Goods sealed". */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** The party that has the goods after this entry. */
  readonly holder: string;
  readonly hash: string;
}

/**
 * Describes each entry, oldest first. The holder follows from this entry and all entries before it.
 */
export const describeHistory = (entries: readonly unknown[]): DescribedEntry[] => {
  let holder = firstHolder;
  return entries.map((value) => {
    const entry = membersOf(value);
    holder = holderAfter(holder, entry);
    return {
      time: timeOf(entry.ts_utc),
      title: titleOf(entry),
      facts: factsOf(entry),
      holder: wordsOf(holder),
      hash: shownText(entry.event_hash),
    };
  });
};

const wordsOf = ({ goods, driver, organization, party, person }: Holder): string => {
  if (goods === 'party') return joined(person, party) || 'Unknown party';
  if (goods === 'driver') return joined(driver || 'Driver', organization);
  return goods === 'sender' ? 'Sender' : 'Receiver';
};

const joined = (...texts: readonly string[]): string =>
  texts
    .map(shownText)
    .filter((text) => text !== '')
    .join(', ');

/** Returns an entry's type in words; an unknown type is shown unchanged. */
const titleOf = ({ type, internal_type: kind }: Members): string =>
  titleOfType(kind) ?? (shownText(kind ?? type) || 'Unknown event');

const timeOf = (value: unknown): string => {
  const text = shownText(value);
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/.exec(text) ?? [];
  return day === undefined ? text : `${day} ${time} UTC`;
};
