import type { Block, Column } from '../document.ts';
import type { Texts } from '../texts/en.ts';

/** Maximum number of rows of a table. */
export const rowsMax = 200;

/** Maximum number of values that are listed within one cell. */
const valuesMax = 20;

export interface TableForm {
  readonly name: string;
  readonly headings: readonly string[];
  /** Shares of the table's width by column; together 1. */
  readonly shares: readonly number[];
  /** Maximum number of rows; 200 if absent. */
  readonly max?: number;
}

/** Returns a table of the first items, and a paragraph that counts the others. */
export const tableOf = <Item>(
  texts: Texts,
  { name, headings, shares, max = rowsMax }: TableForm,
  items: readonly Item[],
  toRow: (item: Item, index: number) => readonly (readonly string[])[],
): readonly Block[] => {
  const columns = headings.map((heading, n): Column => ({ heading, share: shares[n]! }));
  const rows = items.slice(0, max).map(toRow);
  const more = items.length - rows.length;
  return [
    { kind: 'table', name, columns, rows },
    ...(more > 0 ? [{ kind: 'paragraph', text: texts.moreRows(more) } as const] : []),
  ];
};

const charactersMax = 200;

const shortened = (value: string): string =>
  value.length > charactersMax ? `${value.slice(0, charactersMax)}…` : value;

/** Returns the first 20 values as one text, and the number of the others. */
export const joined = (texts: Texts, values: readonly string[]): string => {
  const shown = values.slice(0, valuesMax).map(shortened).join(', ');
  const more = values.length - valuesMax;
  return more > 0 ? `${shown} ${texts.more(more)}` : shown;
};

/** Returns the text of a word of the API; a word that is not listed is shown unchanged. */
export const wordOf = (words: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(words, word) ? words[word]! : word;
