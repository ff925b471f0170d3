import { type ReadEvent, readEvent } from './read-event.ts';
import { type Refusal, refusal } from './refusal.ts';
import { bytesOf, type Signed, verifySignature } from './verify-signature.ts';

/**
 * The result of `verify`. If `valid` is true, test `known`, then `event.event`, to narrow the
 * event.
 */
export type Verdict = ({ readonly valid: true; readonly signedAt: number } & ReadEvent) | Refusal;

/**
 * Verifies the signature and the time of a delivery, and parses its event (contract 6.4). A
 * delivery can arrive more than once: deduplicate on `X-Service-Delivery`.
 * @returns the event, or a refusal. No request that a sender can make causes an error.
 * @throws TypeError if the arguments are wrong: a parsed body, no secret, a time that is no number.
 */
export const verify = async (signed: Signed): Promise<Verdict> => {
  const verdict = await verifySignature(signed);
  if (!verdict.valid) return verdict;
  const read = readEvent(bytesOf(signed.rawBody));
  return read ? { ...verdict, ...read } : refusal('not_an_event');
};
