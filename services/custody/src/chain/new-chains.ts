import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import type { EntryRow } from './entry-row.ts';
import { emptyHead, type Head, link } from './link.ts';

/** The chain of an order that has none yet, as far as its events here go. */
export interface NewChain {
  readonly orderId: string;
  readonly organizationId: string;
  /** Where the chain stands after them. */
  readonly head: Head;
  /** One for each event. */
  readonly entries: ReadonlyMap<OrderEvent, EntryRow>;
}

/**
 * The chains of the orders whose events here are the first ones, 1, 2, 3 …: pure. Whether such an
 * order has a chain already, because the events came before, only the database knows.
 */
export const newChains = (events: readonly OrderEvent[]): NewChain[] => {
  const chains: NewChain[] = [];
  for (const [orderId, ofOrder] of Map.groupBy(events, (event) => event.orderId)) {
    if (!ofOrder.every(({ sequence }, n) => sequence === n + 1)) continue;
    let head = emptyHead(orderId);
    const entries = new Map<OrderEvent, EntryRow>();
    for (const event of ofOrder) {
      const entry = link(head, event);
      entries.set(event, entry);
      head = { sequence: entry.sequence, hash: entry.event_hash };
    }
    chains.push({ orderId, organizationId: ofOrder[0]!.organizationId, head, entries });
  }
  return chains;
};
