import type { IncomingMessage } from '../bus.ts';
import type { BusPool } from './bus-pool.ts';

/** Reads the partition's messages from an offset on, in order. */
export const readMessages = async (
  pool: BusPool,
  topic: string,
  partition: number,
  from: bigint,
  most: number,
): Promise<IncomingMessage[]> => {
  const rows = await pool.query<Row>(
    `select "offset"::text, key, event_id, type, traceparent, request_id, reason, value
    from messages m where topic = $1 and partition = $2 and "offset" >= $3
    order by m."offset" limit $4`,
    [topic, partition, `${from}`, most],
  );
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

interface Row {
  readonly offset: string;
  readonly key: string;
  readonly event_id: string;
  readonly type: string;
  readonly traceparent: string | null;
  readonly request_id: string | null;
  readonly reason: string | null;
  readonly value: Buffer;
}
