import { type Bus, type Consumer, consume } from '@pto/bus';
import type { Database } from '@pto/database';
import { type MessageKeys, messageVerifier } from '@pto/message-authentication';
import { consumerGroups, custodyEventsTopic } from '@pto/proto/topics';
import type { Telemetry } from '@pto/telemetry';
import { enqueueAll, enqueueOrHold } from '../deliveries/hold-refused.ts';
import { dispatchEvents } from './dispatch.ts';

/** Consumes what the ledger announces; each event is dispatched exactly once. */
export const startDispatcher = (options: {
  bus: Bus;
  db: Database;
  publicBaseUrl: string;
  /** Shared with custody. */
  custodyKeys: MessageKeys;
  withoutProof: 'reject' | 'accept';
  telemetry: Telemetry;
  /** Called after deliveries were committed. */
  queued: () => void;
}): Promise<Consumer> => {
  const { bus, publicBaseUrl, telemetry } = options;
  let queuedNow = 0;
  // the consumer commits; only then can the deliverer see what was queued
  const db: Database = {
    ...options.db,
    transaction: async (work) => {
      const result = await options.db.transaction(work);
      if (queuedNow > 0) options.queued();
      queuedNow = 0;
      return result;
    },
  };
  return consume(bus, db, {
    group: consumerGroups.dispatcher,
    topic: custodyEventsTopic,
    telemetry,
    rejection: messageVerifier({
      sender: 'custody',
      recipient: 'webhooks',
      keys: options.custodyKeys,
      withoutProof: options.withoutProof,
    }),
    // after a batch that failed: one that cannot be queued shall cost no other anything
    handle: async (message, tx) => {
      queuedNow += await dispatchEvents([message], tx, publicBaseUrl, enqueueOrHold);
    },
    handleBatch: async (messages, tx) => {
      queuedNow += await dispatchEvents(messages, tx, publicBaseUrl, enqueueAll);
    },
  });
};
