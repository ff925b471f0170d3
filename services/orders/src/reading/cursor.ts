/**
 * The cursor of a list (decision 13): (created_at, id) of the last order of the page, a hash of the
 * organization and the filters, and an HMAC over all of it, in base64url. Opaque to partners.
 */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '@pto/errors';

export interface Position {
  /** Time with microseconds, as PostgreSQL prints it. */
  readonly createdAt: string;
  readonly id: string;
}

const filtersBytes = 8;
const macBytes = 16;

const filtersHash = (filters: readonly (string | undefined)[]): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(filters.map((filter) => filter ?? null)))
    .digest()
    .subarray(0, filtersBytes);

const mac = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update(body).digest().subarray(0, macBytes);

/** The first key signs, all verify, so that a key can be replaced without a rejected cursor. */
export type CursorKeys = readonly [Buffer, ...Buffer[]];

export const writeCursor = (
  [key]: CursorKeys,
  filters: readonly (string | undefined)[],
  position: Position,
): string => {
  const at = Buffer.from(`${position.createdAt}|${position.id}`);
  const body = Buffer.concat([filtersHash(filters), at]);
  return Buffer.concat([mac(key, body), body]).toString('base64url');
};

/**
 * Returns the position in a cursor.
 * @throws Failure VALIDATION at `["query","cursor"]` if this service did not issue the cursor, or
 *   if the cursor belongs to a list with other filters.
 */
export const readCursor = (
  keys: CursorKeys,
  filters: readonly (string | undefined)[],
  cursor: string,
): Position => {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(macBytes);
  const genuine =
    bytes.length > macBytes + filtersBytes &&
    bytes.toString('base64url') === cursor &&
    keys.some((key) => timingSafeEqual(bytes.subarray(0, macBytes), mac(key, body)));
  const rejection = (reason: string) => invalid(['query', 'cursor'], reason, cursor);
  if (!genuine) throw rejection('this cursor was not issued by this service');
  if (!body.subarray(0, filtersBytes).equals(filtersHash(filters)))
    throw rejection('this cursor belongs to a list with other filters');
  const [createdAt = '', id = ''] = body.subarray(filtersBytes).toString().split('|');
  return { createdAt, id };
};
