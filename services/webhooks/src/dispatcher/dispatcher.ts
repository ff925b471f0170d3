import { type Bus, type Consumer, consume } from '@pto/bus';
import type { Database, Transaction } from '@pto/database';
import { type MessageKeys, messageVerifier } from '@pto/message-authentication';
import { consumerGroups, custodyEventsTopic } from '@pto/proto/topics';
import type { Telemetry } from '@pto/telemetry';
import { enqueueAll, enqueueOrQuarantine } from '../queue/quarantine.ts';
import { dispatchEvents } from './dispatch.ts';

/** Consumes custody events and dispatches each event once, also if the bus delivers it again. */
export const startDispatcher = (options: {
  bus: Bus;
  db: Database;
  publicBaseUrl: string;
  /** Keys that custody and webhooks share; they verify the origin of messages. */
  custodyKeys: MessageKeys;
  telemetry: Telemetry;
  /** Called after the commit of queued deliveries, to wake the deliverer. */
  queued: () => void;
}): Promise<Consumer> => {
  const { bus, publicBaseUrl, telemetry } = options;
  // the deliverer can see queued deliveries only after the consumer's commit
  const { db, mark } = afterCommit(options.db, options.queued);
  return consume(bus, db, {
    group: consumerGroups.dispatcher,
    topic: custodyEventsTopic,
    telemetry,
    rejection: messageVerifier({
      sender: 'custody',
      recipient: 'webhooks',
      keys: options.custodyKeys,
    }),
    // used after a failed attempt: a delivery that the database rejects must not affect the others
    handle: async (message, tx) => {
      if ((await dispatchEvents([message], tx, publicBaseUrl, enqueueOrQuarantine)) > 0) mark(tx);
    },
    handleBatch: async (messages, tx) => {
      if ((await dispatchEvents(messages, tx, publicBaseUrl, enqueueAll)) > 0) mark(tx);
    },
  });
};

/**
 * Calls `committed` after the commit of each transaction marked with `mark`. A rollback calls
 * nothing.
 */
export const afterCommit = (database: Database, committed: () => void) => {
  const marked = new WeakSet<Transaction>();
  const db: Database = {
    ...database,
    transaction: async (work) => {
      let last: Transaction | undefined;
      const result = await database.transaction((tx) => {
        last = tx;
        return work(tx);
      });
      if (last && marked.has(last)) committed();
      return result;
    },
  };
  return {
    /** The given database; only its transactions can be marked. */
    db,
    /** Marks a transaction of `db`. After its commit, `committed` is called. */
    mark: (tx: Transaction): void => {
      marked.add(tx);
    },
  };
};
