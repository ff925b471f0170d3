export {
  type KnownEvent,
  type KnownEventName,
  knownEventNames,
  type OrderEvent,
  type OrderEventName,
  type TestEvent,
  type UnknownEvent,
} from './event.ts';
export { gap } from './gap.ts';
export { type Verdict, verify } from './verify.ts';
export {
  type Refusal,
  type RefusalReason,
  type SignatureVerdict,
  type Signed,
  verifySignature,
} from './verify-signature.ts';
