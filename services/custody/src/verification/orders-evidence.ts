import { bulkStatement, fragment, type Sql } from '@pto/database';
import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { type ConnectClientOptions, connectClient } from '@pto/rpc';
import { tables } from '../schema/ledger-database.ts';
import type { Evidence } from './check-evidence.ts';

export type EvidenceSource = ReturnType<typeof ordersEvidence>;

const pageSize = 1000;

/** Reads from orders, over its internal port, the evidence that orders stores of chains. */
export const ordersEvidence = (options: Omit<ConnectClientOptions, 'server'>) => {
  const client = connectClient(CustodyEvidenceService, { ...options, server: 'orders' });
  type Page = Awaited<ReturnType<typeof client.listHeads>>;
  const byOrder = (heads: Page['heads']): Map<string, Evidence> =>
    new Map(
      heads.map((head) => {
        const digests = head.digests.map(({ sequence, digest }) => [sequence, digest] as const);
        return [head.orderId, { ...head, digests: new Map(digests) }];
      }),
    );
  return {
    /**
     * Returns the evidence of the orders in a range of ids (exclusive, inclusive; empty: no bound).
     */
    range: async (afterOrderId: string, upToOrderId: string) => {
      const heads: Page['heads'] = [];
      for (let after: string | null = afterOrderId; after !== null; ) {
        const request = { afterOrderId: after, upToOrderId, pageSize };
        const page: Page = await client.listHeads(request);
        heads.push(...page.heads);
        after = page.nextOrderId || null;
      }
      return byOrder(heads);
    },
    /**
     * Returns the evidence of exactly these orders. The result lacks orders that the orders service
     * does not know, and orders without an event.
     */
    of: async (orderIds: readonly string[]) => {
      const heads: Page['heads'] = [];
      for (let n = 0; n < orderIds.length; n += pageSize)
        heads.push(
          ...(await client.listHeads({ orderIds: orderIds.slice(n, n + pageSize) })).heads,
        );
      return byOrder(heads);
    },
    /** Returns pages of the events whose entries custody has not reported to orders, oldest first. */
    unreported: async function* () {
      for (let pageToken: string | null = ''; pageToken !== null; ) {
        const page: Awaited<ReturnType<typeof client.listUnreportedEvents>> =
          await client.listUnreportedEvents({ pageSize, pageToken });
        yield page.events;
        pageToken = page.nextPageToken || null;
      }
    },
  };
};

/**
 * Returns the age in seconds of the oldest event that orders has produced and custody has not
 * stored; 0 if custody has stored all. A delay is not a violation (decision 53): custody or the bus
 * may be unavailable. Orders lists the events that custody has not reported back; custody may have
 * stored some of them.
 */
export const oldestDelaySeconds = async (sql: Sql, evidence: EvidenceSource): Promise<number> => {
  for await (const events of evidence.unreported()) {
    const rows = events.map(({ orderId, sequence }) => ({ order_id: orderId, sequence }));
    const [missing] = await firstMissing(sql, rows);
    if (missing) return Number(events[Number(missing.n) - 1]!.ageMs) / 1000;
  }
  return 0;
};

/** Returns the number, from 1, of the first of these entries that the ledger does not have. */
const firstMissing = bulkStatement({ order_id: 'uuid', sequence: 'int' }, (rows) =>
  tables
    .selectFrom(rows('g'))
    .leftJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'g.order_id').onRef('e.sequence', '=', 'g.sequence'),
    )
    .select('g.n')
    .where('e.id', 'is', null)
    .orderBy('g.n')
    .limit(fragment.lit(1)),
);
