import type { Sql, Transaction } from '@pto/database';
import { inSpan, withRequestId } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import type { Source } from './consumer-tables.ts';

export interface Handlers {
  /**
   * Executes the effects of one or more messages, in their order. The handler must write only
   * through `tx`, the transaction that also writes the inbox rows.
   * @param isAlone true: the message is handled alone, because an earlier attempt with it failed or
   *   because it is replayed.
   */
  handle(messages: readonly IncomingMessage[], tx: Transaction, isAlone: boolean): Promise<void>;
  /**
   * Throws while no message may have an effect. Its one statement is sent in one message with
   * others of the transaction.
   */
  guard?(sql: Sql): Promise<void>;
}

/**
 * Runs the handler. A call for one message has a span below the span of the message's sender, and
 * the sender's request id. A call for several messages has one span and no request id.
 */
export const takeEffect = async (
  { group, topic }: Source,
  { handle }: Handlers,
  messages: readonly IncomingMessage[],
  tx: Transaction,
  isAlone: boolean,
): Promise<void> => {
  const [first] = messages;
  if (!first) return;
  const only = messages.length === 1 ? first : undefined;
  const attributes = {
    'messaging.destination.name': topic,
    'messaging.consumer.group.name': group,
    ...(only
      ? { 'messaging.message.id': only.id }
      : { 'messaging.batch.message_count': messages.length }),
  };
  const span = { kind: 'consumer', traceparent: only?.traceparent, attributes } as const;
  await withRequestId(only?.requestId, () =>
    inSpan(`consume ${topic}`, span, () => handle(messages, tx, isAlone)),
  );
};
