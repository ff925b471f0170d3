import { createHash } from 'node:crypto';
import { bulkInsert } from '@pto/database';
import { tables } from '../../services/custody/src/schema/ledger-database.ts';
import { ledgerSide } from './ledger-side.ts';
import { organizations } from './order-event.ts';

const queueForLog = bulkInsert(tables, 'log_queue');

/**
 * The ledger's log alone: the hash of an event is queued in a synced commit, and the service's
 * sequencer gives the leaves their places, with the order index and checkpoints. The chains, which
 * the feed's numbers need, are there before. No entry, no inbox, no outbox.
 */
export const logAlone = () =>
  ledgerSide((db, admin) => ({
    name: 'log alone',
    prepare: (messages) =>
      admin.query(
        `insert into chains (order_id, organization_id, sequence, head_hash)
         select id, ($2::uuid[])[1 + n % cardinality($2::uuid[])], 1, '' from unnest($1::uuid[]) with ordinality o (id, n)`,
        [messages.map(({ key }) => key), organizations],
      ),
    append: (messages) =>
      queueForLog(
        db,
        messages.map(({ key, value }) => ({
          order_id: key,
          sequence: 1,
          event_hash: createHash('sha256').update(value).digest('hex'),
        })),
      ),
  }));
