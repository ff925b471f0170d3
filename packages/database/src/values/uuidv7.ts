import { randomBytes } from 'node:crypto';

let last = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562): ids of one process sort in the order of their making, also within one
 * millisecond (a 12-bit counter stands where the standard allows one).
 */
export const uuidv7 = (now = Date.now()): string => {
  if (now > last) {
    last = now;
    counter = randomBytes(1)[0]!;
  } else if (++counter > 0xfff) {
    last += 1;
    counter = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return hyphenated(bytes.toString('hex'));
};

/** The least id that a UUIDv7 of that millisecond (since the epoch) can have: a bound for reads. */
export const firstUuidv7 = (atMs: number): string =>
  hyphenated(Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0').padEnd(32, '0'));

/**
 * As SQL: the least id of a moment by the database's clock.
 * @param at an expression of type timestamptz.
 */
export const firstUuidv7Sql = (at: string): string => `(${millis(at)} || repeat('0', 20))::uuid`;

/**
 * As SQL: a new UUIDv7 by the database's clock. Where an id decides what a row's age is, or where a
 * reader goes on, one clock makes all of them, whatever those of the processes say.
 * @param at an expression of type timestamptz.
 * @param n an int expression from 0 on: the ids of one statement sort by it.
 */
export const uuidv7Sql = (at: string, n = '0'): string =>
  `(${millis(at, `(${n}) / 4096`)} || '7' || lpad(to_hex((${n}) % 4096), 3, '0') ||
    right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid`;

const millis = (at: string, more = '0'): string =>
  `lpad(to_hex(floor(extract(epoch from ${at}) * 1000)::bigint + ${more}), 12, '0')`;

const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
