import { createBatches } from '@pto/concurrency';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import { ownCpu } from '../measuring/machine.ts';
import { cpuSince } from '../measuring/process-cpu.ts';
import type { Latency, Side } from '../measuring/ratio.ts';
import { callAll } from './callers.ts';
import { openLedger } from './open-ledger.ts';
import { orderEvents } from './order-event.ts';
import { signAsCustody, signAsOrders, verifyAsCustody } from './proofs.ts';

type Message = ReturnType<typeof orderEvents>[number];

/**
 * The ledger, called with one event at a time: calls that arrive while a batch is appended share the
 * next batch, as events do that wait on the bus. An append is verified, linked, queued for the log
 * and announced with two proofs of origin; a sequencer signs checkpoints beside it.
 */
export const calledLedger = async (
  leaves: number,
  events: number,
): Promise<Side & { close(): Promise<void> }> => {
  const { db, admin, sequence, close } = await openLedger(leaves);
  const append = createBatches<Message, void>(
    async (messages) => {
      if (messages.some(verifyAsCustody)) throw new Error('an event is not authentic');
      await db.transaction((tx) => appendEvents(messages, tx, signAsCustody));
      return () => {};
    },
    { inFlightMax: 1, batchMax: 256, waitingMax: 1024 },
  );
  const countEntries = async () =>
    (await admin.query<{ n: number }>('select count(*)::int as n from entries'))[0]!.n;
  let messages: Message[] = [];
  let latency: Latency = { p50Ms: 0, p99Ms: 0 };
  let [before, entries] = [ownCpu(), 0];
  let used = cpuSince(before, before);
  return {
    name: 'ledger',
    prepare: async () => {
      messages = orderEvents(events, 1).map(signAsOrders);
      entries = await countEntries();
      before = ownCpu();
    },
    round: async () => {
      const calling = callAll(messages, append).then((measured) => {
        latency = measured;
      });
      await Promise.all([calling, sequence(calling)]);
      used = cpuSince(before, ownCpu());
      return messages.length;
    },
    rows: async () => (await countEntries()) - entries,
    latency: () => latency,
    cpuByProcess: () => used,
    close,
  };
};
