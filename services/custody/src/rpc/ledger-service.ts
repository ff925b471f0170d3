import { toBase64 } from '@pto/custody-verifier';
import { isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import type { Anchor } from '../anchor/anchor.ts';
import { readChains, readEntries, toEntry } from '../chain/read-chain.ts';
import { type AnchorProgress, anchorStart, checkAnchor } from '../verification/check-anchor.ts';
import type { LogPosition } from '../verification/compact-range.ts';
import { verifyLog } from '../verification/verify-log.ts';
import { verifyOrderInLog } from '../verification/verify-order-in-log.ts';
import { type Verifier, verifyOrders, verifyOrdersPage } from '../verification/verify-orders.ts';
import { confirmed } from '../verification/violation.ts';
import { logOverview } from './log-overview.ts';
import { wholeProof } from './whole-proof.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;

/** Serves the ledger to operators: verifies it with the auditor's checks, and exports chains. */
export const ledgerService = (
  verifier: Verifier & {
    readonly anchor: Anchor;
    readonly origin: string;
    /** The vkeys of the configured witnesses. */
    readonly witnesses: readonly string[];
  },
) => {
  const { db, anchor, origin, witnesses } = verifier;

  const verifyOrder = async (orderId: string) => {
    if (!isUuid(orderId)) throw noSuchOrder();
    const verdict = await verifyOrders(verifier, [orderId]);
    const proved = await confirmed(verifier, () => verifyOrderInLog(db, anchor, orderId));
    return {
      ...counts(verdict),
      faults: [...verdict.violations, ...proved.violations],
      leaves: BigInt(proved.leaves),
    };
  };

  return implement(LedgerService, {
    verifyChains: async ({ orderId, afterOrderId, pageSize: requested }) => {
      if (orderId !== '') return verifyOrder(orderId);
      const pageSize = Math.min(requested || pageSizeDefault, pageSizeMax);
      const verdict = await verifyOrdersPage(verifier, { afterOrderId, pageSize });
      const { nextOrderId } = verdict;
      return { ...counts(verdict), faults: [...verdict.violations], nextOrderId };
    },
    verifyLog: async ({ walk }) => {
      const log = {
        size: Number(walk?.size ?? 0),
        hashes: (walk?.hashes ?? []).map((hash) => toBase64(hash)),
      };
      if (walk?.anchor) {
        const from = { mark: walk.anchor.mark, size: Number(walk.anchor.size) };
        const page = await confirmed(verifier, () => checkAnchor(db, anchor, from));
        const next = page.ended ? {} : { next: toWalk(log, page.reached) };
        return { leaves: 0n, faults: [...page.violations], ...next };
      }
      const page = await confirmed(verifier, () => verifyLog(db, log));
      return {
        leaves: BigInt(page.leaves.length),
        faults: [...page.violations],
        next: toWalk(page.reached, page.ended ? anchorStart : null),
      };
    },
    exportChain: async ({ orderId }) => {
      const chain = isUuid(orderId) && (await readChains(db, [orderId])).get(orderId);
      if (!chain) throw noSuchOrder();
      const rows = await readEntries(db, orderId);
      return {
        orderId,
        organizationId: chain.organizationId,
        entries: rows.map((row) => ({ entry: toEntry(row), canonicalText: row.canonical_text })),
      };
    },
    showLog: async () => ({
      origin,
      ...(await db.snapshot((sql) => logOverview(sql, witnesses))),
    }),
    exportProof: async ({ orderId }) => {
      if (!isUuid(orderId)) throw noSuchOrder();
      const proof = await wholeProof(db, orderId, { origin, witnesses });
      if (proof.count === 0) throw noSuchOrder();
      return { proof };
    },
  });
};

const counts = ({ orderIds, entries, delayed }: Awaited<ReturnType<typeof verifyOrders>>) => ({
  orders: orderIds.length,
  entries: BigInt(entries),
  delayed,
});

const toWalk = ({ size, hashes }: LogPosition, anchor: AnchorProgress | null) => ({
  size: BigInt(size),
  hashes: hashes.map((hash) => Buffer.from(hash, 'base64')),
  ...(anchor && { anchor: { ...anchor, size: BigInt(anchor.size) } }),
});

const noSuchOrder = (): Failure =>
  new Failure('NOT_FOUND', 'The ledger has no chain of that order.', {
    details: { resource: 'order' },
  });
