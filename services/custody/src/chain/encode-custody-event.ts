import type { EntryRow } from './entry-row.ts';

/**
 * Encodes a `custody.events.v1.CustodyEvent` without proof of origin, as protobuf does. The bytes
 * of the order event are copied, because encoding it again took 25 µs, an eighth of Node's CPU time
 * of an append.
 * @param event an encoded `orders.events.v1.OrderEvent` without proof of origin.
 */
export const encodeCustodyEvent = (
  event: Uint8Array,
  { sequence, event_hash: eventHash, prev_event_hash: prevEventHash }: EntryRow,
): Uint8Array => {
  const bytes = Buffer.allocUnsafe(
    maxBytes + event.length + eventHash.length + prevEventHash.length,
  );
  let at = writeVarint(bytes, event.length, writeTag(bytes, 1, lengthDelimited, 0));
  bytes.set(event, at);
  at = writeVarint(bytes, sequence, writeTag(bytes, 2, varint, at + event.length));
  at = writeHash(bytes, 3, eventHash, at);
  at = writeHash(bytes, 4, prevEventHash, at);
  return bytes.subarray(0, at);
};

const varint = 0;
const lengthDelimited = 2;
/**
 * Maximum number of bytes besides the event and the hashes: four tags of one byte each, and three
 * lengths and `sequence` of at most five bytes each.
 */
const maxBytes = 4 + 4 * 5;

const writeTag = (bytes: Buffer, field: number, wireType: number, at: number): number =>
  bytes.writeUInt8((field << 3) | wireType, at);

/** Writes a protobuf varint. @param value at most 32 bits. @returns the offset after it. */
const writeVarint = (bytes: Buffer, value: number, at: number): number => {
  let [rest, end] = [value, at];
  for (; rest > 0x7f; rest >>>= 7) end = bytes.writeUInt8((rest & 0x7f) | 0x80, end);
  return bytes.writeUInt8(rest, end);
};

/**
 * Writes a hash as a protobuf field. A hash is 64 hexadecimal digits, so it has as many bytes as
 * characters.
 */
const writeHash = (bytes: Buffer, field: number, hash: string, at: number): number => {
  const start = writeVarint(bytes, hash.length, writeTag(bytes, field, lengthDelimited, at));
  return start + bytes.write(hash, start, 'latin1');
};
