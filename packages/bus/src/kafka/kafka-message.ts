import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { IncomingMessage, OutgoingMessage } from '../bus.ts';

/** A record, and the number of partitions among which its key decides. */
export interface PartitionedRecord extends Message {
  readonly partitions: number | undefined;
}

/**
 * Converts a message to a Kafka record with the message's key and value. Id, type, trace context,
 * request id and reason become headers.
 */
export const toRecord = (message: OutgoingMessage): PartitionedRecord => ({
  key: message.key,
  partitions: message.partitions,
  value: Buffer.from(message.value.buffer, message.value.byteOffset, message.value.byteLength),
  headers: {
    id: message.id,
    type: message.type,
    ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
    ...(message.requestId !== undefined && { 'request-id': message.requestId }),
    ...(message.reason !== undefined && { reason: message.reason }),
  },
});

/**
 * Converts a Kafka record to a message. A record without an id gets an empty id, with which the
 * consumer cannot handle the message: it is parked, or rejected if it is not authentic.
 */
export const fromRecord = (
  topic: string,
  partition: number,
  record: KafkaMessage,
): IncomingMessage => ({
  topic,
  partition,
  offset: record.offset,
  key: storable(record.key) ?? '',
  id: header(record.headers, 'id') ?? '',
  type: header(record.headers, 'type') ?? '',
  traceparent: header(record.headers, 'traceparent'),
  requestId: header(record.headers, 'request-id'),
  reason: header(record.headers, 'reason'),
  value: record.value ?? new Uint8Array(),
});

const header = (headers: IHeaders | undefined, name: string): string | undefined => {
  const value = headers?.[name];
  return storable(Array.isArray(value) ? value[0] : value);
};

/**
 * Replaces NUL characters by U+FFFD: a PostgreSQL text cannot contain NUL, so the message could not
 * even be parked.
 */
const storable = (text: Buffer | string | null | undefined): string | undefined =>
  text?.toString().replaceAll('\0', '\ufffd');
