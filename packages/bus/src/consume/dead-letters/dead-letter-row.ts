import type { IncomingMessage } from '../../bus.ts';
import type { Rows } from '../tables.ts';

/** The columns from which a parked message is rebuilt. */
export const messageColumns = [
  'id',
  'partition',
  'offset',
  'key',
  'event_id',
  'type',
  'traceparent',
  'request_id',
  'value',
  'reason',
  'rejected',
] as const;

export type DeadLetterRow = Readonly<Pick<Rows['dead_letters'], (typeof messageColumns)[number]>>;

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
