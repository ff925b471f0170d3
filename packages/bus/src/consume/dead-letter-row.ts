import type { IncomingMessage } from '../bus.ts';

/** The columns from which a parked message is rebuilt. */
export const messageColumns = `id, partition, "offset"::text as "offset", key, event_id, type,
  traceparent, request_id, value, reason, rejected`;

export interface DeadLetterRow {
  readonly id: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly event_id: string;
  readonly type: string;
  readonly traceparent: string | null;
  readonly request_id: string | null;
  readonly value: Buffer;
  readonly reason: string;
  readonly rejected: boolean;
}

export const parkedMessage = (topic: string, row: DeadLetterRow): IncomingMessage => ({
  topic,
  partition: row.partition,
  offset: row.offset,
  key: row.key,
  id: row.event_id,
  type: row.type,
  traceparent: row.traceparent ?? undefined,
  requestId: row.request_id ?? undefined,
  value: row.value,
});
