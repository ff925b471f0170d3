import type { Pages } from './pages.ts';
import type { Order, OrderList } from './types.ts';

/**
 * The orders that changed at a time or later, each in its newest state (contract 4.3). An order
 * that changes during the iteration may be missing; the next poll then returns it. An order may
 * come in two polls: process it again, or compare `updated_at`.
 */
export class Changes implements AsyncIterable<Order> {
  readonly #pages: Pages<Order, OrderList>;
  #next: string;

  constructor(updatedSince: string, pages: Pages<Order, OrderList>) {
    this.#pages = pages;
    this.#next = updatedSince;
  }

  /**
   * `updated_since` of the next poll: `as_of` of the first page once the iteration has reached its
   * end, and the start of this poll before. Store it after you processed the orders, and no change
   * is missed, wherever the program stops.
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
