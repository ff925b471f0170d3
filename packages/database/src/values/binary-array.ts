/**
 * Encodes arrays of ids, texts and bytes in PostgreSQL's binary format (`array_recv` in its source),
 * for statements that write many rows by `unnest($1::uuid[], …)`. The driver sends a Buffer
 * unchanged, but an array as text, which costs quoting here and parsing in PostgreSQL for each
 * element. Serves R5 (docs/performance.md).
 */
import { isUuid } from './uuid.ts';

declare const element: unique symbol;

/** An array of `Element` in PostgreSQL's binary format. */
export type Encoded<Element> = Buffer & { readonly [element]?: Element };

/** The value of an array parameter: encoded, or the elements, which the driver sends as text. */
export type ArrayOf<Element> = Encoded<Element> | readonly Element[];

/**
 * Returns the value of a parameter `$n::uuid[]`. If an id is malformed, returns the ids unencoded,
 * so that PostgreSQL rejects them.
 */
export const uuidArray = (ids: readonly string[]): ArrayOf<string> => {
  const array = opened(oid.uuid, ids.length, ids.length * uuidBytes);
  let at = headerBytes;
  for (const id of ids) {
    if (!isUuid(id)) return ids;
    at = array.writeInt32BE(uuidBytes, at);
    at += array.write(id.replaceAll('-', ''), at, 'hex');
  }
  return array;
};

/** Returns the value of a parameter `$n::text[]`. */
export const textArray = <Text extends string | null>(texts: readonly Text[]): Encoded<Text> => {
  let bytes = 0;
  let nulls = false;
  for (const text of texts) {
    if (text === null) nulls = true;
    else bytes += Buffer.byteLength(text);
  }
  const array = opened(oid.text, texts.length, bytes, nulls);
  let at = headerBytes;
  for (const text of texts) {
    if (text === null) at = absent(array, at);
    else {
      const length = array.write(text, at + lengthBytes);
      at = framed(array, length, at) + length;
    }
  }
  return array;
};

/** Returns the value of a parameter `$n::bytea[]`. */
export const byteaArray = <Bytes extends Uint8Array>(values: readonly Bytes[]): Encoded<Bytes> => {
  const bytes = values.reduce((sum, { length }) => sum + length, 0);
  const array = opened(oid.bytea, values.length, bytes);
  let at = headerBytes;
  for (const value of values) {
    array.set(value, framed(array, value.length, at));
    at += lengthBytes + value.length;
  }
  return array;
};

/**
 * PostgreSQL's object ids of the element types: `select oid, typname from pg_type`. They never
 * change.
 */
const oid = { bytea: 17, text: 25, uuid: 2950 } as const;

/**
 * Bytes of the header: dimensions, whether there are nulls, element type, number of elements, index
 * of the first.
 */
const headerBytes = 20;
const uuidBytes = 16;
/** Bytes of the length before each element; the length -1 means null. */
const lengthBytes = 4;

const opened = (type: number, length: number, bytes: number, nulls = false): Buffer => {
  const array = Buffer.allocUnsafe(headerBytes + lengthBytes * length + bytes);
  let at = 0;
  for (const number of [1, nulls ? 1 : 0, type, length, 1]) at = array.writeInt32BE(number, at);
  return array;
};

const framed = (array: Buffer, length: number, at: number): number =>
  array.writeInt32BE(length, at);

const absent = (array: Buffer, at: number): number => array.writeInt32BE(-1, at);
