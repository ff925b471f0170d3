import { integer } from '../validation/numbers.ts';
import { described, maybe, optional } from '../validation/schema.ts';
import { string } from '../validation/texts.ts';

/** The query parameter `limit` of a list in pages (contract 4.3). @param things what it lists. */
export const pageLimit = (things: string) =>
  described(optional(integer({ ge: 1, le: 100 }), 50), `Maximum number of ${things} in the page.`);

/** The member `next_cursor` of a page. */
export const nextCursor = described(
  maybe(string()),
  'Pass as `cursor` to get the next page; null on the last page.',
);
