import type { Entry } from '../history/entries.ts';
import { textOf } from '../history/members.ts';
import type { Texts } from '../texts/en.ts';

/**
 * Returns the value of a personal field, or says that it was erased and when, or that the file does
 * not have it. Null if the entry has no such field.
 */
export const personalText = (texts: Texts, entry: Entry, field: string): string | null => {
  const personal = entry.personal.get(field);
  if (personal?.state === 'disclosed') return personal.value;
  if (personal?.state === 'erased') return texts.erased(texts.time(personal.at));
  if (personal?.state === 'withheld') return texts.withheld;
  return textOf(entry.payload[field]) || null;
};
