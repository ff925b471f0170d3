import type { OutgoingMessage } from '../bus.ts';
import { keyHash } from '../key-hash.ts';
import { appendMessages } from './append-sql.ts';
import type { BusPool } from './bus-pool.ts';

/** Maximum number of messages per statement. Each statement is one commit. */
const statementMax = 1000;

/** Appends the messages in the given order. Each statement appends all of its messages or none. */
export const publishToPostgres = async (
  pool: BusPool,
  partitionsOf: (topic: string) => Promise<number>,
  messages: readonly OutgoingMessage[],
): Promise<void> => {
  for (let at = 0; at < messages.length; at += statementMax) {
    const part = messages.slice(at, at + statementMax);
    const partitions: number[] = [];
    for (const { topic, key } of part) partitions.push(keyHash(key) % (await partitionsOf(topic)));
    await appendMessages(pool, {
      topics: part.map((m) => m.topic),
      partitions,
      keys: part.map((m) => m.key),
      eventIds: part.map((m) => m.id),
      types: part.map((m) => m.type),
      traceparents: part.map((m) => m.traceparent ?? null),
      requestIds: part.map((m) => m.requestId ?? null),
      reasons: part.map((m) => m.reason ?? null),
      values: part.map((m) => Buffer.from(m.value)),
    });
  }
};
