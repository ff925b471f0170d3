import type { Pages } from './pages.ts';
import type { Order, OrderList } from './types.ts';

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
