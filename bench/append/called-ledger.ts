import { createBatches } from '@pto/concurrency';
import { messageSigner, messageVerifier } from '@pto/message-authentication';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import type { Side } from '../measuring/ratio.ts';
import { openLedger } from './open-ledger.ts';
import { type OrderMessage, orderEvents, ordersKeys, ring } from './order-event.ts';

const signAsCustody = messageSigner('custody', {
  orders: ordersKeys,
  webhooks: ring('CUSTODY_WEBHOOKS_KEYS'),
});
const verifyAsCustody = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: ordersKeys,
});

/**
 * The ledger, called with one event at a time: calls that arrive while a batch is appended share the
 * next batch, as events do that wait on the bus. An append is verified, linked, queued for the log
 * and announced with two proofs of origin; the service's sequencer works beside it. A round ends
 * when each entry has its place in the log.
 */
export const calledLedger = async (leaves: number, events: number, intervalMs: number) => {
  const ledger = await openLedger(leaves, intervalMs);
  const append = createBatches<OrderMessage, void>(
    async (messages) => {
      if (messages.some(verifyAsCustody)) throw new Error('an event is not authentic');
      await ledger.db.transaction((tx) => appendEvents(messages, tx, signAsCustody));
      ledger.wake();
      return () => {};
    },
    { inFlightMax: 1, batchMax: 256, waitingMax: 1024 },
  );
  let messages: OrderMessage[] = [];
  const side: Side = {
    name: 'ledger',
    processes: ['node', 'postgres'],
    prepare: async () => {
      messages = orderEvents(events);
    },
    round: () => ledger.appendAll(messages, append),
    settle: ledger.settle,
    rows: ledger.rows,
  };
  return { ...side, close: () => ledger.close(side.name) };
};
