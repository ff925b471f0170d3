import { TransportOrdersError } from './errors/transport-orders-error.ts';

/** A page of a list, as the API returns it. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor?: string | null;
}

/**
 * All items of a list, in the order of the API. The iteration requests each page when it reaches
 * it; `pages` iterates over pages instead of items. Items created meanwhile do not shift the pages.
 */
export class Pages<Item, One extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<One>;

  constructor(read: (cursor: string | undefined) => Promise<One>) {
    this.#read = read;
  }

  /** @throws TransportOrdersError for a cursor that was given before: the list would never end. */
  async *pages(): AsyncGenerator<One, void, undefined> {
    const given = new Set<string>();
    let cursor: string | null | undefined;
    do {
      const page = await this.#read(cursor ?? undefined);
      yield page;
      cursor = page.next_cursor;
      if (cursor && given.size === given.add(cursor).size)
        throw new TransportOrdersError('the list does not end: the server repeats next_cursor');
    } while (cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
