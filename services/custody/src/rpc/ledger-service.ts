import { type Database, isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import type { Anchor } from '../anchor/anchor.ts';
import { toEntry } from '../chain/entry-row.ts';
import { readChain, readEntries } from '../chain/read-chain.ts';
import { CompactRange } from '../verification/compact-range.ts';
import { type LogWalk, verifyLog } from '../verification/verify-log.ts';
import { type EvidenceSource, verifyPage } from '../verification/verify-page.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;

/** The ledger in the operator's hands: check it, take a chain out. */
export const ledgerService = ({
  db,
  evidence,
  anchor,
}: {
  db: Database;
  evidence: EvidenceSource;
  anchor: Anchor;
}) =>
  implement(LedgerService, {
    verifyChains: async ({ orderId, afterOrderId, pageSize: asked }) => {
      if (orderId !== '' && !isUuid(orderId)) throw noSuchOrder();
      const pageSize = Math.min(asked || pageSizeDefault, pageSizeMax);
      const verdict = await verifyPage(db, evidence, { orderId, afterOrderId, pageSize });
      return { ...verdict, entries: BigInt(verdict.entries), faults: [...verdict.faults] };
    },
    verifyLog: async ({ walk }) => {
      const range = new CompactRange(Number(walk?.size ?? 0), walk?.hashes.map(Buffer.from));
      const anchored = walk?.anchor && { ...walk.anchor, size: Number(walk.anchor.size) };
      const verdict = await verifyLog(db, anchor, { range, anchor: anchored ?? null });
      return {
        leaves: BigInt(verdict.leaves),
        faults: [...verdict.faults],
        ...(verdict.next && { next: toWalk(verdict.next) }),
      };
    },
    exportChain: async ({ orderId }) => {
      const chain = isUuid(orderId) ? await readChain(db, orderId) : null;
      if (!chain) throw noSuchOrder();
      const rows = await readEntries(db, orderId);
      return {
        orderId,
        organizationId: chain.organizationId,
        entries: rows.map((row) => ({ entry: toEntry(row), canonicalText: row.canonical_text })),
      };
    },
  });

const toWalk = ({ range, anchor }: LogWalk) => ({
  size: BigInt(range.size),
  hashes: [...range.hashes],
  ...(anchor && { anchor: { ...anchor, size: BigInt(anchor.size) } }),
});

const noSuchOrder = (): Failure =>
  new Failure('NOT_FOUND', 'The ledger has no chain of that order.', {
    details: { resource: 'order' },
  });
