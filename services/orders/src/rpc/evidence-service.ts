import { type Database, isUuid } from '@pto/database';
import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { listHeads } from '../evidence/list-heads.ts';
import { markFault } from '../evidence/mark-fault.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;

/** What orders knows of each chain, for custody's verifier. */
export const evidenceService = ({ db }: { db: Database }) =>
  implement(CustodyEvidenceService, {
    reportFault: async ({ orderId, reason }) => {
      if (isUuid(orderId)) await markFault(db, orderId, reason);
      return {};
    },
    listHeads: async ({ orderId, afterOrderId, upToOrderId, pageSize: asked }) => {
      const pageSize = Math.min(asked || pageSizeDefault, pageSizeMax);
      const rows = await listHeads(db, { orderId, afterOrderId, upToOrderId, pageSize });
      return {
        heads: rows.map((row) => ({
          orderId: row.id,
          status: row.status,
          sequence: row.sequence,
          custodySequence: row.custody_sequence,
          custodyHeadHash: row.custody_head_hash,
        })),
        nextOrderId: orderId === '' && rows.length === pageSize ? rows.at(-1)!.id : '',
      };
    },
  });
