import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { type ConnectClientOptions, connectClient } from '@pto/rpc';
import type { Evidence } from './check-evidence.ts';

/** Reads from orders, over its internal port, the evidence that orders stores of chains. */
export interface EvidenceSource {
  /**
   * Returns the evidence of the orders in a range of ids (exclusive, inclusive; empty: no bound).
   */
  range(afterOrderId: string, upToOrderId: string): Promise<Map<string, Evidence>>;
  /**
   * Returns the evidence of exactly these orders. The result lacks orders that the orders service
   * does not know, and orders without an event.
   */
  of(orderIds: readonly string[]): Promise<Map<string, Evidence>>;
  /** Returns pages of the events whose entries custody has not reported to orders, oldest first. */
  unreported(): AsyncIterable<readonly UnreportedEvent[]>;
}

export interface UnreportedEvent {
  readonly orderId: string;
  readonly sequence: number;
  /** Milliseconds since orders produced the event, by the clock of orders' database. */
  readonly ageMs: number;
}

const pageSize = 1000;

export const ordersEvidence = (options: Omit<ConnectClientOptions, 'server'>): EvidenceSource => {
  const client = connectClient(CustodyEvidenceService, { ...options, server: 'orders' });
  type Head = Awaited<ReturnType<typeof client.listHeads>>['heads'][number];
  const add = (known: Map<string, Evidence>, heads: readonly Head[]): void => {
    for (const head of heads)
      known.set(head.orderId, {
        ...head,
        digests: new Map(head.digests.map(({ sequence, digest }) => [sequence, digest])),
      });
  };
  return {
    range: async (afterOrderId, upToOrderId) => {
      const known = new Map<string, Evidence>();
      for (let after: string | null = afterOrderId; after !== null; ) {
        const page: Awaited<ReturnType<typeof client.listHeads>> = await client.listHeads({
          afterOrderId: after,
          upToOrderId,
          pageSize,
        });
        add(known, page.heads);
        after = page.nextOrderId || null;
      }
      return known;
    },
    of: async (orderIds) => {
      const known = new Map<string, Evidence>();
      for (let n = 0; n < orderIds.length; n += pageSize) {
        const request = { orderIds: orderIds.slice(n, n + pageSize) };
        add(known, (await client.listHeads(request)).heads);
      }
      return known;
    },
    unreported: async function* () {
      for (let pageToken: string | null = ''; pageToken !== null; ) {
        const page: Awaited<ReturnType<typeof client.listUnreportedEvents>> =
          await client.listUnreportedEvents({ pageSize, pageToken });
        yield page.events.map((event) => ({ ...event, ageMs: Number(event.ageMs) }));
        pageToken = page.nextPageToken || null;
      }
    },
  };
};
