/** Links an order event to its chain as an entry, and announces the entry: pure. */
import type { IncomingMessage, OutgoingMessage } from '@pto/bus';
import { entryText, genesisHash, sha256Hex } from '@pto/custody-verifier';
import { contentOf } from '@pto/message-authentication';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import type { EntryRow, Head } from './read-chain.ts';

export const emptyHead = (orderId: string): Head => ({ sequence: 0, hash: genesisHash(orderId) });

/**
 * Returns the entry for `event` that follows `head`: pure.
 * @throws Error if the event's number is not the head's number plus 1: the ledger has no gaps.
 */
export const link = (head: Head, event: OrderEvent): EntryRow => {
  if (event.sequence !== head.sequence + 1)
    throw new Error(`event ${event.sequence} cannot follow entry ${head.sequence}`);
  const entry = {
    id: event.id,
    type: event.type,
    internal_type: event.internalType,
    ts_utc: event.tsUtc,
    gps_lat: event.position?.lat ?? null,
    gps_lng: event.position?.lng ?? null,
    prev_event_hash: head.hash,
  };
  const payload = event.payloadJson === '' ? null : event.payloadJson;
  const text = entryText(event.orderId, {
    ...entry,
    payload: payload === null ? null : JSON.parse(payload),
  });
  return {
    ...entry,
    order_id: event.orderId,
    sequence: event.sequence,
    payload,
    event_hash: sha256Hex(text),
    canonical_text: text,
  };
};

/**
 * An order event, the bus message that contained it, and the entry that was appended for it. The
 * message has a proof of origin.
 */
export interface Appended {
  readonly event: OrderEvent;
  readonly entry: EntryRow;
  readonly message: IncomingMessage;
}

/**
 * Creates the custody event for an appended entry. It has the order event's id, because both
 * describe the same occurrence. The proof of origin, which only custody may see, is left out.
 */
export const announcement = ({ event, entry, message }: Appended): OutgoingMessage => ({
  topic: custodyEventsTopic,
  key: event.orderId,
  id: event.id,
  type: event.type,
  traceparent: message.traceparent,
  requestId: message.requestId,
  value: encodeCustodyEvent(contentOf(message.value)!, entry),
});

/**
 * Encodes a `custody.events.v1.CustodyEvent` without proof of origin, as protobuf does: fields 1
 * (event), 2 (sequence), 3 and 4 (hashes of 64 hexadecimal digits). The bytes of the order event
 * are copied, because encoding it again took an eighth of Node's CPU time of an append.
 * @param event an encoded `orders.events.v1.OrderEvent` without proof of origin.
 */
export const encodeCustodyEvent = (event: Uint8Array, entry: EntryRow): Uint8Array => {
  const before = Uint8Array.of(0x0a, ...varint(event.length));
  const after = Uint8Array.of(0x10, ...varint(entry.sequence));
  const hashes = Buffer.from(
    `\x1a\x40${entry.event_hash}\x22\x40${entry.prev_event_hash}`,
    'latin1',
  );
  return Buffer.concat([before, event, after, hashes]);
};

/** Returns the bytes of a protobuf varint. @param value at most 32 bits. */
const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
