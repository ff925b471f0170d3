import { TransportOrdersError } from './errors.ts';
import type { Order, OrderList } from './types.ts';

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

/**
 * The orders that changed at or after a given time, each in its newest state (contract 4.3). An
 * order that changes during the iteration may be missing; the next poll then returns it. Two polls
 * may return the same order: process it again, or compare `updated_at`.
 */
export class Changes implements AsyncIterable<Order> {
  readonly #pages: Pages<Order, OrderList>;
  #next: string;

  constructor(updatedSince: string, pages: Pages<Order, OrderList>) {
    this.#pages = pages;
    this.#next = updatedSince;
  }

  /**
   * `updated_since` of the next poll. Before the end of the iteration it is the time of this poll,
   * after it `as_of` of the first page. Store it after you have processed the orders: then no
   * change is missed if the program stops.
   */
  get nextUpdatedSince(): string {
    return this.#next;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Order, void, undefined> {
    let asOf: string | null | undefined;
    for await (const page of this.#pages.pages()) {
      asOf ??= page.as_of;
      yield* page.data;
    }
    this.#next = asOf ?? this.#next;
  }
}
