import { execute, fragment, type Transaction } from '@pto/database';
import type { IncomingMessage } from '../bus.ts';
import { type Source, tables, waitingOf } from './consumer-tables.ts';
import { insertLetters, letterOf } from './dead-letters/park.ts';

/**
 * Returns why a message is not authentic, as text for operators; undefined for an authentic message
 * (decision 55).
 */
export type Rejection = (message: IncomingMessage) => string | undefined;

interface RejectedMessage {
  readonly message: IncomingMessage;
  /** Why the message is not authentic, as text for operators. */
  readonly reason: string;
}

/**
 * Separates authentic messages from messages that are not. Each list is in the order of arrival.
 */
export const separate = (
  messages: readonly IncomingMessage[],
  rejection: Rejection,
): { authentic: readonly IncomingMessage[]; rejected: readonly RejectedMessage[] } => {
  const authentic: IncomingMessage[] = [];
  const rejected: RejectedMessage[] = [];
  for (const message of messages) {
    const reason = rejection(message);
    if (reason === undefined) authentic.push(message);
    else rejected.push({ message, reason: rejectedReason(reason) });
  }
  return { authentic, rejected };
};

/** Returns why a message is rejected, for operators. */
export const rejectedReason = (reason: string): string =>
  `The message is not authentic: ${reason}.`;

/**
 * Maximum number of rejected messages that wait per consumer and topic. Further rejected messages
 * are counted and not stored.
 */
export const rejectedMax = 10_000;
/**
 * Maximum size in bytes of a value that is stored. A message with a larger value is stored without
 * its value. The value of a genuine event is far smaller.
 */
const valueMax = 65_536;
/**
 * Maximum number of characters that are stored of each text of a message, such as its key, id and
 * type; the rest is cut off. Genuine texts are shorter. PostgreSQL limits an index row to a third
 * of a page.
 */
const textMax = 255;

/**
 * Stores rejected messages as dead letters that block no key. A genuine message can be replayed
 * after the key that authenticates it is configured. Writes no inbox row, because the genuine event
 * with that id must still be handled.
 * @returns the number of messages stored, and the number dropped because too many wait.
 */
export const storeRejected = async (
  tx: Transaction,
  source: Source,
  rejected: readonly RejectedMessage[],
): Promise<{ stored: number; dropped: number }> => {
  const [row] = await execute(
    tx,
    tables
      .selectFrom(
        waitingOf(source)
          .where(({ ref }) => ref('rejected'))
          .limit(fragment.lit(rejectedMax))
          .as('waiting'),
      )
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')),
  );
  const kept = rejected.slice(0, rejectedMax - row!.count);
  const dropped = rejected.length - kept.length;
  if (kept.length === 0) return { stored: 0, dropped };
  const stored = await insertLetters(
    tx,
    kept.map(({ message, reason }) =>
      letterOf(source, shortened(message), {
        reason:
          message.value.byteLength > valueMax
            ? `${reason} Its ${message.value.byteLength} bytes were not stored.`
            : reason,
        rejected: true,
      }),
    ),
  );
  return { stored: stored.length, dropped };
};

const shortened = (message: IncomingMessage): IncomingMessage => ({
  ...message,
  key: short(message.key),
  id: short(message.id),
  type: short(message.type),
  traceparent: short(message.traceparent),
  requestId: short(message.requestId),
  value: message.value.byteLength > valueMax ? new Uint8Array() : message.value,
});

const short = <T extends string | undefined>(text: T): T => text?.slice(0, textMax) as T;
