import { createHash } from 'node:crypto';
import { createBatches } from '@pto/concurrency';
import { bulkInsert } from '@pto/database';
import { tables } from '../../services/custody/src/schema/ledger-database.ts';
import type { Side } from '../measuring/ratio.ts';
import { openLedger } from './open-ledger.ts';
import { type OrderMessage, orderEvents, organizations } from './order-event.ts';

const queueForLog = bulkInsert(tables, 'log_queue');

/**
 * The ledger's log alone: 100 callers hash one event each and queue the hash in a synced commit, and
 * the service's sequencer gives the leaves their places, with the order index and checkpoints. The
 * chains, which the feed's numbers need, are there before. No entry, no inbox, no outbox.
 */
export const logAlone = async (leaves: number, events: number, intervalMs: number) => {
  const ledger = await openLedger(leaves, intervalMs);
  const append = createBatches<OrderMessage, void>(
    async (messages) => {
      const rows = messages.map(({ key, value }) => ({
        order_id: key,
        sequence: 1,
        event_hash: createHash('sha256').update(value).digest('hex'),
      }));
      await queueForLog(ledger.db, rows);
      ledger.wake();
      return () => {};
    },
    { inFlightMax: 1, batchMax: 256, waitingMax: 1024 },
  );
  let messages: OrderMessage[] = [];
  const side: Side = {
    name: 'log alone',
    processes: ['node', 'postgres'],
    prepare: async () => {
      messages = orderEvents(events);
      await ledger.admin.query(
        `insert into chains (order_id, organization_id, sequence, head_hash)
         select id, ($2::uuid[])[1 + n % cardinality($2::uuid[])], 1, '' from unnest($1::uuid[]) with ordinality o (id, n)`,
        [messages.map(({ key }) => key), organizations],
      );
    },
    round: () => ledger.appendAll(messages, append),
    settle: ledger.settle,
    rows: ledger.rows,
  };
  return { ...side, close: () => ledger.close(side.name) };
};
