import { execute, fragment, type Transaction, uuidv7 } from '@pto/database';
import { insertRejected } from './dead-letters/store-dead-letters.ts';
import type { RejectedMessage } from './rejection.ts';
import type { Source } from './source.ts';
import { tables, waitingOf } from './tables.ts';

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
  const messages = kept.map(({ message }) => message);
  const stored = await insertRejected(tx, {
    ...source,
    id: kept.map(() => uuidv7()),
    partition: messages.map((m) => m.partition),
    offset: messages.map((m) => m.offset),
    key: messages.map((m) => short(m.key)),
    event_id: messages.map((m) => short(m.id)),
    event_uuid: messages.map(() => null),
    type: messages.map((m) => short(m.type)),
    traceparent: messages.map((m) => short(m.traceparent ?? null)),
    request_id: messages.map((m) => short(m.requestId ?? null)),
    value: messages.map((m) => Buffer.from(m.value.byteLength > valueMax ? [] : m.value)),
    reason: kept.map(({ message, reason }) =>
      message.value.byteLength > valueMax
        ? `${reason} Its ${message.value.byteLength} bytes were not stored.`
        : reason,
    ),
  });
  return { stored: stored.length, dropped };
};

const short = <T extends string | null>(text: T): T => text?.slice(0, textMax) as T;
