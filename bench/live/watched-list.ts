/** An order has reached the status of that rank; the response came at that time, in ms. */
export interface Change {
  readonly id: string;
  readonly rank: number;
  readonly at: number;
}

/** Fewer than the 50 rows of a page: above them are orders whose creation is not responded to yet. */
const judgedRows = 40;
/** Two reads of the list, one of which may just have begun. */
const shownWithinMs = 4000;

/** Compares what a list shows, newest orders first, with the changes that it must show. */
export const createWatch = () => {
  /** Changes of each order, in their order; the orders in that of their creation. */
  const orders = new Map<string, Change[]>();
  const result = { looks: 0, changes: 0, missed: 0, latestMs: 0 };
  return {
    changed: (change: Change): void => {
      orders.set(change.id, [...(orders.get(change.id) ?? []), change]);
      result.changes++;
    },
    /** @param shown ranks by the ids of the shown orders, read after `at`. */
    saw: (at: number, shown: ReadonlyMap<string, number>): void => {
      result.looks++;
      const newest = [...orders.values()].slice(-judgedRows);
      for (const changes of newest) {
        const rank = shown.get(changes[0]!.id) ?? -1;
        const [next] = changes.filter((change) => change.rank > rank);
        if (!next) continue;
        const waitedMs = Math.round(at - next.at);
        result.latestMs = Math.max(result.latestMs, waitedMs);
        if (waitedMs > shownWithinMs) result.missed++;
      }
    },
    result: () => result,
  };
};
