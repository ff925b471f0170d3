import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { connectClient } from '@pto/rpc';
import type { Evidence } from './check-chain.ts';
import type { EvidenceSource } from './verify-page.ts';

/** Asks orders for what it knows of the chains, page by page. */
export const ordersEvidence = (options: Parameters<typeof connectClient>[1]): EvidenceSource => {
  const client = connectClient(CustodyEvidenceService, options);
  return {
    heads: async ({ orderId, afterOrderId, upToOrderId }) => {
      const known = new Map<string, Evidence>();
      for (let after: string | null = afterOrderId; after !== null; ) {
        const page: Awaited<ReturnType<typeof client.listHeads>> = await client.listHeads({
          orderId,
          afterOrderId: after,
          upToOrderId,
          pageSize: 1000,
        });
        for (const head of page.heads) known.set(head.orderId, head);
        after = page.nextOrderId || null;
      }
      return known;
    },
  };
};
