import type { Side } from '../measuring/ratio.ts';
import { backendCpu, microsSince } from './backend-cpu.ts';
import type { LedgerCode } from './ledger-code.ts';
import { openLedger } from './open-ledger.ts';
import { orderEvents } from './order-event.ts';
import { signAsCustody, signAsOrders, verifyAsCustody } from './proofs.ts';

/** What an append includes, beside chain and log: the rest of it is the code's. */
export interface Parts {
  /** Proofs of origin: one verified, two made. */
  readonly authenticated: boolean;
  /** Signed and anchored checkpoints; they carry the order index if the code has one. */
  readonly signed: boolean;
}

const batch = 256;
const roundBatches = 32;
/** With 1, each append begins a chain. */
const eventsPerOrder = Number(process.env.EVENTS_PER_ORDER ?? 1);

/**
 * A ledger whose log has that many leaves. A round appends batches one after another while a
 * sequencer gives the entries their places and signs checkpoints beside it, as in production. When
 * the round is over, all its entries are in the log; those behind the last checkpoint come under the
 * first one of the next round.
 */
export const ledgerWith = async (code: LedgerCode, leaves: number, parts: Parts) => {
  const { db, admin, sequence, close } = await openLedger(code, leaves, parts.signed);
  let messages: ReturnType<typeof orderEvents> = [];
  const appendAll = async () => {
    for (let at = 0; at < messages.length; at += batch) {
      const events = messages.slice(at, at + batch);
      if (parts.authenticated && events.some(verifyAsCustody))
        throw new Error('an event is not authentic');
      await db.transaction((tx) =>
        code.appendEvents(events, tx, parts.authenticated ? signAsCustody : (message) => message),
      );
    }
  };
  let [begun, storeMicros] = [await backendCpu(admin), 0];
  const side = (name: string): Side => ({
    name,
    prepare: async () => {
      messages = orderEvents(roundBatches * batch, eventsPerOrder);
      if (parts.authenticated) messages = messages.map(signAsOrders);
      begun = await backendCpu(admin);
    },
    round: async () => {
      const appending = appendAll();
      await Promise.all([appending, sequence(appending)]);
      return messages.length;
    },
    finish: async () => {
      storeMicros = microsSince(begun, await backendCpu(admin));
    },
    storeMicros: () => storeMicros,
  });
  return { side, close };
};
