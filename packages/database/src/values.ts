import { randomUUID } from 'node:crypto';
import { type Expression, sql } from 'kysely';

/** The least and the greatest UUID in PostgreSQL's order: bounds before and after every id. */
export const leastUuid = '00000000-0000-0000-0000-000000000000';
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a UUID of hexadecimal digits in groups of 8-4-4-4-12, in lower or upper case.
 * Other forms that PostgreSQL accepts are not ids of this project.
 */
export const isUuid = (text: string): boolean => shape.test(text);

let last = 0;
let counter = 0;

/** A clock that has gone back by more than this was set, in ms. */
const clockBackMaxMs = 10_000;

/**
 * Creates a UUIDv7 (RFC 9562). Ids of one process sort in the order of their creation, also within
 * one millisecond (a 12-bit counter in the field that the standard permits for it). When the clock
 * is set back by more than 10 s, ids follow it: the partition of a row and its age are those of its
 * id, so an hour that was wrong for a moment must not remain in all later ids.
 */
export const uuidv7 = (now = Date.now()): string => {
  const random = randomUUID(); // a quarter of the time that `randomBytes` takes
  if (now > last || now < last - clockBackMaxMs) {
    last = now;
    counter = Number.parseInt(random.slice(0, 2), 16);
  } else if (++counter > 0xfff) {
    last += 1;
    counter = 0;
  }
  const time = last.toString(16).padStart(12, '0');
  const version = (0x7000 | counter).toString(16);
  // from the hyphen before the variant on, a version 4 has the form of a version 7
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${random.slice(18)}`;
};

/**
 * Returns the lower bound of the UUIDv7s of a millisecond since the epoch: the time, then zeros.
 * The bound sorts before all UUIDv7s of that millisecond and after all of earlier milliseconds.
 */
export const firstUuidv7 = (atMs: number): string =>
  hyphenated(Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0').padEnd(32, '0'));

/** Returns the time in a UUIDv7, in milliseconds since the epoch. */
export const uuidv7Millis = (id: string): number =>
  Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/**
 * Returns SQL for the lower bound of the UUIDv7s of a time.
 * @param at an expression of type timestamptz.
 */
export const firstUuidv7Sql = (at: Expression<string>): Expression<string> =>
  sql<string>`(${millis(at, sql`0`)} || repeat('0', 20))::uuid`;

/**
 * Returns SQL for a new UUIDv7 of the given time. Ids that determine a row's age, or the position
 * at which a reader continues, must all be created with the database's clock, because the clocks of
 * processes differ.
 * @param at an expression of type timestamptz.
 * @param n an int expression from 0 on: the ids of one statement sort by it.
 */
export const uuidv7Sql = (
  at: Expression<string>,
  n: Expression<number> = sql<number>`0`,
): Expression<string> =>
  sql<string>`(${millis(at, sql`(${n}) / 4096`)} || '7' || lpad(to_hex((${n}) % 4096), 3, '0') ||
    right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid`;

const millis = (at: Expression<string>, more: Expression<unknown>): Expression<string> =>
  sql<string>`lpad(to_hex(floor(extract(epoch from ${at}) * 1000)::bigint + ${more}), 12, '0')`;

/** Returns a UUID of its 32 hexadecimal digits. */
export const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );

/**
 * Returns a 32-bit hash of a key. It must stay the same in every process and release, because
 * stored rows depend on it (partition). FNV-1a, then Murmur's finalizer, which mixes the low
 * bits.
 */
export const keyHash = (key: string): number => {
  let h = 0x811c9dc5;
  for (const byte of Buffer.from(key)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/**
 * Formats a timestamptz, PostgreSQL's text in UTC, as ISO 8601 with milliseconds, the only time
 * format of the public API (decision 6).
 * @throws Error for any other text.
 */
export const isoMillis = (text: string): string => {
  const [, day, time, fraction = ''] = /^(\S+) ([\d:]{8})(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (day === undefined) throw new Error(`not a timestamptz in UTC: ${text}`);
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
};

/**
 * Returns a timestamptz, PostgreSQL's text in UTC, in whole milliseconds since the epoch.
 * @throws Error for any other text.
 */
export const epochMillis = (text: string): number => Date.parse(isoMillis(text));

/**
 * The types of array elements: of an element that is written, and of the value that is read when
 * `unnest` makes rows of the array.
 */
export interface Elements {
  uuid: { written: string | null; read: string };
  text: { written: string | null; read: string };
  smallint: { written: number | null; read: number };
  int: { written: number | null; read: number };
  bigint: { written: string | number | null; read: string };
  float8: { written: number | null; read: number };
  bool: { written: boolean; read: boolean };
  bytea: { written: Uint8Array; read: Buffer };
  timestamptz: { written: string | Date | null; read: string };
}

declare const element: unique symbol;

/** An array of `Element` in PostgreSQL's binary format. */
type Encoded<Element> = Buffer & { readonly [element]?: Element };

/** The value of an array parameter: encoded, or the elements, which the driver sends as text. */
export type ArrayOf<Element> = Encoded<Element> | readonly Element[];

/** How elements of a type are encoded. */
interface Encoder<Element> {
  /** PostgreSQL's object id of the type, which never changes. */
  readonly oid: number;
  bytesOf(element: Element): number;
  write(array: Buffer, element: Element, at: number): void;
}

const texts: Encoder<string> = {
  oid: 25,
  bytesOf: (text) => Buffer.byteLength(text),
  write: (array, text, at) => void array.write(text, at),
};
const uuids: Encoder<string> = {
  oid: 2950,
  bytesOf: () => 16,
  write: (array, id, at) => void array.write(id.replaceAll('-', ''), at, 'hex'),
};
const byteas: Encoder<Uint8Array> = {
  oid: 17,
  bytesOf: ({ length }) => length,
  write: (array, bytes, at) => array.set(bytes, at),
};

/**
 * Returns an array in PostgreSQL's binary format (`array_recv` in its source): a header of
 * dimensions, whether there are nulls, element type, number of elements and index of the first, then
 * each element behind its length, or the length -1 for null. The driver sends a Buffer unchanged,
 * but an array as text, which costs quoting here and parsing in PostgreSQL for each element. Serves
 * R5 (docs/performance.md).
 */
const binaryArray = <Element>(
  { oid, bytesOf, write }: Encoder<Element>,
  elements: readonly (Element | null)[],
): Buffer => {
  const lengths = elements.map((one) => (one === null ? -1 : bytesOf(one)));
  const array = Buffer.allocUnsafe(
    lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 20),
  );
  let at = 0;
  for (const number of [1, lengths.includes(-1) ? 1 : 0, oid, elements.length, 1])
    at = array.writeInt32BE(number, at);
  for (const [n, one] of elements.entries()) {
    const length = lengths[n]!;
    at = array.writeInt32BE(length, at);
    if (one === null) continue;
    write(array, one, at);
    at += length;
  }
  return array;
};

/** Returns the value of a parameter `$n::type[]`, in the binary format if the type has an encoder. */
export const arrayOf = <Type extends keyof Elements>(
  type: Type,
  values: readonly Elements[Type]['written'][],
): ArrayOf<Elements[Type]['written']> => {
  if (type === 'text') return binaryArray(texts, values as readonly (string | null)[]);
  if (type === 'bytea') return binaryArray(byteas, values as readonly Uint8Array[]);
  const ids = values as readonly string[];
  // PostgreSQL rejects a malformed id
  return type === 'uuid' && ids.every((id) => id !== null && isUuid(id))
    ? binaryArray(uuids, ids)
    : values;
};

/** Returns the value of a parameter `$n::uuid[]`. */
export const uuidArray = (ids: readonly string[]): ArrayOf<string> =>
  arrayOf('uuid', ids) as ArrayOf<string>;
