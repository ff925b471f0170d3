import { type ReadEvent, readEvent } from './read-event.ts';
import { type Refusal, refusal } from './refusal.ts';
import { bytesOf, type Signed, verifySignature } from './verify-signature.ts';

/** `known` first, then `event.event`, tell which event it is. */
export type Verdict = ({ readonly valid: true; readonly signedAt: number } & ReadEvent) | Refusal;

/**
 * The event of a delivery, if it was signed by us, freshly, and came unchanged (contract 6.4).
 * It may still have come before: deduplicate on `X-Service-Delivery`.
 * @returns a refusal as data; nothing that a sender does makes it throw.
 * @throws TypeError where the call is wrong: a parsed body, no secret, a time that is no number.
 */
export const verify = async (signed: Signed): Promise<Verdict> => {
  const verdict = await verifySignature(signed);
  if (!verdict.valid) return verdict;
  const read = readEvent(bytesOf(signed.rawBody));
  return read ? { ...verdict, ...read } : refusal('not_an_event');
};
