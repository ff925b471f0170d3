import { bulkInsert, isUuid, type Sql, type Transaction, uuidv7Millis } from '@pto/database';
import { Failure } from '@pto/errors';
import { inSpan, withRequestId } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import { inboxDays, marginDays, rememberedMs } from '../inbox-age.ts';
import { type Source, tables } from './consumer-tables.ts';

const insertNew = bulkInsert(tables, 'inbox', (insert) =>
  insert.onConflict((conflict) => conflict.doNothing()).returning('event_id'),
);

/**
 * Claims the messages for this transaction by inserting their inbox rows, in the order of their ids,
 * so that two transactions that claim the same events do not deadlock.
 * @returns the messages whose events have had no effect yet, each event once, in the given order.
 * @throws Failure VALIDATION for an event id that is not a UUID.
 */
export const claim = async (
  tx: Transaction,
  consumer: string,
  messages: readonly IncomingMessage[],
): Promise<IncomingMessage[]> => {
  if (!messages.every(({ id }) => isUuid(id)))
    throw new Failure('VALIDATION', 'The event id is not a UUID.');
  const ids = messages.map(({ id }) => id.toLowerCase()).sort();
  const rows = await insertNew(
    tx,
    ids.map((event_id) => ({ consumer, event_id })),
  );
  const claimed = new Set(rows.map((row) => row.event_id));
  return messages.filter(({ id }) => claimed.delete(id.toLowerCase()));
};

/** An event is so old that the inbox may have forgotten its effect. It is parked at once. */
export class Forgotten extends Failure {}

/**
 * Requires that the inbox would still know the events, had they been handled. The age counts from
 * an event's id (UUIDv7), as that of its inbox row does; the proof of origin covers the id. A
 * genuine event that someone publishes again, weeks later, would otherwise have a second effect. A
 * backlog of that age looks the same: an operator decides about each parked message.
 * @param fresh messages whose events are not in the inbox.
 * @throws Forgotten for the first event that is too old.
 */
export const requireRemembered = (fresh: readonly IncomingMessage[], now = Date.now()): void => {
  for (const { id } of fresh) {
    const madeAt = timeOf(id);
    if (madeAt !== undefined && now - madeAt > rememberedMs)
      throw new Forgotten('VALIDATION', reason(madeAt));
  }
};

const reason = (madeAt: number): string =>
  `The event was made at ${new Date(madeAt).toISOString()}, more than ${inboxDays - marginDays} days ago: the inbox may have forgotten its effect. Replay it only if this consumer was stopped or behind for that long; else discard it.`;

/** Returns the time of a UUIDv7 in ms since the epoch; undefined for other ids. */
const timeOf = (id: string): number | undefined => {
  if (!isUuid(id)) return undefined;
  return id.replaceAll('-', '')[12] === '7' ? uuidv7Millis(id) : undefined;
};

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
