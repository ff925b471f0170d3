/**
 * Proof of a message's origin (decision 55): an HMAC with a key that only sender and recipient
 * have. It is a part of the message's value, so outbox, bus and dead letters transport it.
 */
export { type KeyRing as MessageKeys, keyRing as messageKeys } from '@pto/config';
export {
  messageSigner,
  messageVerifier,
  type Sign,
} from './proof-of-origin.ts';
export { rejectSharedKeys } from './reject-shared-keys.ts';
export { contentOf } from './trailer.ts';
