/**
 * Returns the words of a text. A name such as `as_of` is a word, and so are its parts, so that a
 * search for the name finds it among pages with many an `as` and `of`.
 */
const wordsOf = (text: string): string[] => {
  const names = text.match(/\w+_\w+/g) ?? [];
  return [...text.split(/[\s\p{P}]+/u), ...names];
};

/** The options with which the search index is written and read. */
export const searchOptions = {
  fields: ['page', 'heading', 'text'],
  tokenize: wordsOf,
  storeFields: ['page', 'heading', 'url', 'excerpt'],
  searchOptions: {
    boost: { page: 6, heading: 4 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND' as const,
  },
};

const shownMax = 12;
const sectionsMax = 3;

/** Returns the results to show: the best 12, at most 3 sections of a page, so that others find room. */
export const shownResults = <Found extends { readonly url: string }>(
  found: readonly Found[],
): Found[] => {
  const sections = new Map<string, number>();
  const hasRoom = ({ url }: Found) => {
    const page = url.split('#')[0]!;
    const count = (sections.get(page) ?? 0) + 1;
    sections.set(page, count);
    return count <= sectionsMax;
  };
  return found.filter(hasRoom).slice(0, shownMax);
};
