import { type Given, statement } from '@pto/database';
import type { IncomingMessage } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';
import { tables } from './tables.ts';

const selectFrom = statement(
  (given: Given<{ topic: string; partition: number; from: string; most: number }>) =>
    tables
      .selectFrom('messages')
      .select(['offset', 'key', 'event_id', 'type', 'traceparent', 'request_id', 'reason'])
      .select('value')
      .where('topic', '=', given.topic)
      .where('partition', '=', given.partition)
      .where('offset', '>=', given.from)
      .orderBy('offset')
      .limit(given.most),
);

/** Reads the partition's messages from an offset on, in order. */
export const readMessages = async (
  pool: BusPool,
  topic: string,
  partition: number,
  from: bigint,
  most: number,
): Promise<IncomingMessage[]> => {
  const rows = await selectFrom(pool, { topic, partition, from: `${from}`, most });
  return rows.map((row) => ({
    topic,
    partition,
    offset: row.offset,
    key: row.key,
    id: row.event_id,
    type: row.type,
    traceparent: row.traceparent ?? undefined,
    requestId: row.request_id ?? undefined,
    reason: row.reason ?? undefined,
    value: row.value,
  }));
};
