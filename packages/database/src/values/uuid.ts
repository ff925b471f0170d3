import { randomBytes } from 'node:crypto';
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

/**
 * Creates a UUIDv7 (RFC 9562). Ids of one process sort in the order of their creation, also within
 * one millisecond (a 12-bit counter in the field that the standard permits for it).
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

/**
 * Returns the lower bound of the UUIDv7s of a millisecond since the epoch: the time, then zeros.
 * The bound sorts before all UUIDv7s of that millisecond and after all of earlier milliseconds.
 */
export const firstUuidv7 = (atMs: number): string =>
  hyphenated(Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0').padEnd(32, '0'));

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

const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
