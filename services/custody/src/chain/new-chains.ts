import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import type { EntryRow } from './entry-row.ts';
import { emptyHead, type Head, link } from './link.ts';

/** A new chain with the entries for the given events of its order. */
export interface NewChain {
  readonly orderId: string;
  readonly organizationId: string;
  /** The head after these entries. */
  readonly head: Head;
  /** One entry per event. */
  readonly entries: ReadonlyMap<OrderEvent, EntryRow>;
}

/**
 * Returns a new chain for each order whose given events are numbered 1, 2, 3 …: pure. Such an order
 * may have a chain in the database already, if the bus delivers these events again.
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
