import { type Bus, type Consumer, consume } from '@pto/bus';
import type { Database } from '@pto/database';
import { type MessageKeys, messageVerifier } from '@pto/message-authentication';
import { consumerGroups, custodyEventsTopic } from '@pto/proto/topics';
import type { Telemetry } from '@pto/telemetry';
import { dispatchEvents } from './dispatch.ts';

/** Consumes custody events and dispatches each event once, also if the bus delivers it again. */
export const startDispatcher = (options: {
  bus: Bus;
  db: Database;
  publicBaseUrl: string;
  /** Whether endpoints may have rehearsals; true in the sandbox alone. */
  rehearses: boolean;
  /** Keys that custody and webhooks share; they verify the origin of messages. */
  custodyKeys: MessageKeys;
  telemetry: Telemetry;
  /** Called after the commit of handled events, to wake the deliverer. */
  queued: () => void;
}): Promise<Consumer> => {
  const { bus, db, telemetry } = options;
  return consume(bus, db, {
    group: consumerGroups.dispatcher,
    topic: custodyEventsTopic,
    telemetry,
    rejection: messageVerifier({
      sender: 'custody',
      recipient: 'webhooks',
      keys: options.custodyKeys,
    }),
    handle: (messages, tx, isAlone) => dispatchEvents(messages, tx, options, isAlone),
    committed: options.queued,
  });
};
