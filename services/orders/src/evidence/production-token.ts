import { isUuid } from '@pto/database';
import { Failure } from '@pto/errors';
import type { ProductionPlace } from './list-unreported.ts';

const timestamp = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/;
const number = /^\d{1,9}$/;

/** Returns the token of the page that begins after this event. Clients must not interpret it. */
export const writeToken = ({ producedAt, orderId, sequence }: ProductionPlace): string =>
  Buffer.from([producedAt, orderId, sequence].join('|')).toString('base64url');

/**
 * Returns the event after which a page begins; undefined for an empty token, the first page.
 * @throws Failure VALIDATION for a text without the form that `writeToken` creates.
 */
export const readToken = (token: string): ProductionPlace | undefined => {
  if (token === '') return undefined;
  const parts = Buffer.from(token, 'base64url').toString().split('|');
  const [producedAt = '', orderId = '', sequence = ''] = parts;
  if (!timestamp.test(producedAt) || !isUuid(orderId) || !number.test(sequence))
    throw new Failure('VALIDATION', 'page_token is not a next_page_token of this RPC.');
  return { producedAt, orderId, sequence: Number(sequence) };
};
