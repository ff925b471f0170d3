import type { Transaction } from '@pto/database';
import { inSpan, withRequestId } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import type { Source } from './source.ts';

export interface Handlers {
  /** The message's effect; only through `tx`, which also holds its inbox row. */
  handle(message: IncomingMessage, tx: Transaction): Promise<void>;
  /** The same for several, in order; used where it is given and more than one has come. */
  handleBatch?(messages: readonly IncomingMessage[], tx: Transaction): Promise<void>;
}

/** Runs the handlers, each message in a span below its sender's and under its request's id. */
export const takeEffect = async (
  source: Source,
  handlers: Handlers,
  messages: readonly IncomingMessage[],
  tx: Transaction,
): Promise<void> => {
  if (handlers.handleBatch && messages.length > 1) {
    const attributes = { ...named(source), 'messaging.batch.message_count': messages.length };
    const name = `consume ${source.topic}`;
    await inSpan(name, { kind: 'consumer', attributes }, () => handlers.handleBatch!(messages, tx));
    return;
  }
  for (const message of messages) await one(source, handlers, message, tx);
};

const one = (
  source: Source,
  handlers: Handlers,
  message: IncomingMessage,
  tx: Transaction,
): Promise<void> =>
  withRequestId(message.requestId, () =>
    inSpan(
      `consume ${source.topic}`,
      {
        kind: 'consumer',
        traceparent: message.traceparent,
        attributes: { ...named(source), 'messaging.message.id': message.id },
      },
      () => handlers.handle(message, tx),
    ),
  );

const named = (source: Source) => ({
  'messaging.destination.name': source.topic,
  'messaging.consumer.group.name': source.group,
});
