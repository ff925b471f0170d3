import type { Transaction } from '@pto/database';
import { inSpan, withRequestId } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import type { Source } from './source.ts';

export interface Handlers {
  /**
   * Executes the effect of a message. The handler must write only through `tx`, the transaction
   * that also writes the inbox row.
   */
  handle(message: IncomingMessage, tx: Transaction): Promise<void>;
  /**
   * Executes the effects of several messages, in their order. If given, it is called instead of
   * `handle` for two or more messages.
   */
  handleBatch?(messages: readonly IncomingMessage[], tx: Transaction): Promise<void>;
}

/**
 * Runs the handlers. Each call of `handle` has a span below the span of the message's sender, and
 * the sender's request id. A call of `handleBatch` has one span for all its messages and no request
 * id.
 */
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
