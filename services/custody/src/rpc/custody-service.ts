import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { CustodyService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import { toEntry } from '../chain/entry-row.ts';
import { awaitChain, readEntries } from '../chain/read-chain.ts';

/** The custody history of one order, for partners through the gateway. */
export const custodyService = ({ db }: { db: Database }) =>
  implement(CustodyService, {
    listEvents: async ({ orderId, organizationId, atLeastSequence }, { signal }) => {
      const chain = await awaitChain(db, orderId, atLeastSequence, signal);
      if (!chain) return { entries: [] };
      if (chain.organizationId !== organizationId)
        throw new Failure('NOT_FOUND', 'There is no such order.', {
          details: { resource: 'order' },
        });
      return { entries: (await readEntries(db, orderId)).map(toEntry) };
    },
  });
