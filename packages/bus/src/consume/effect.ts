import type { Sql, Transaction } from '@pto/database';
import { inSpan, withRequestId } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import type { Source } from './consumer-tables.ts';

export interface Handlers {
  /**
   * Executes the effect of a message. The handler must write only through `tx`, the transaction
   * that also writes the inbox row.
   */
  handle(message: IncomingMessage, tx: Transaction): Promise<void>;
  /**
   * Executes the effects of one or more messages, in their order. If given, it is called instead of
   * `handle` in the first attempt.
   */
  handleBatch?(messages: readonly IncomingMessage[], tx: Transaction): Promise<void>;
  /**
   * Throws while no message may have an effect. Its one statement is sent in one message with
   * others of the transaction.
   */
  guard?(sql: Sql): Promise<void>;
}

/**
 * Runs the handlers. A call for one message has a span below the span of the message's sender, and
 * the sender's request id. A call for several messages has one span and no request id.
 */
export const takeEffect = async (
  source: Source,
  handlers: Pick<Handlers, 'handle' | 'handleBatch'>,
  messages: readonly IncomingMessage[],
  tx: Transaction,
): Promise<void> => {
  const { handleBatch } = handlers;
  if (handleBatch && messages.length === 1)
    return one(source, messages[0]!, () => handleBatch(messages, tx));
  if (handleBatch && messages.length > 1) {
    const attributes = { ...named(source), 'messaging.batch.message_count': messages.length };
    const name = `consume ${source.topic}`;
    await inSpan(name, { kind: 'consumer', attributes }, () => handleBatch(messages, tx));
    return;
  }
  for (const message of messages) await one(source, message, () => handlers.handle(message, tx));
};

const one = (
  source: Source,
  message: IncomingMessage,
  handle: () => Promise<void>,
): Promise<void> =>
  withRequestId(message.requestId, () =>
    inSpan(
      `consume ${source.topic}`,
      {
        kind: 'consumer',
        traceparent: message.traceparent,
        attributes: { ...named(source), 'messaging.message.id': message.id },
      },
      handle,
    ),
  );

const named = (source: Source) => ({
  'messaging.destination.name': source.topic,
  'messaging.consumer.group.name': source.group,
});
