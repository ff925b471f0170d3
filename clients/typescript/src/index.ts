export {
  type HistoryVerdict,
  type InvalidVerdict,
  type ProofOptions,
  type ProofVerdict,
  type TrustedKey,
  verifyProof,
} from '@pto/custody-verifier';
export {
  gap,
  type KnownEvent,
  type OrderEvent,
  type Refusal,
  type RefusalReason,
  type Signed,
  type TestEvent,
  type UnknownEvent,
  type Verdict,
  verify as verifyWebhook,
} from '@pto/webhook-verifier';
export { Changes } from './changes.ts';
export { Client } from './client.ts';
export type { Deliveries } from './deliveries.ts';
export { ApiError } from './errors/api-error.ts';
export type { DetailsOf, ErrorDetails } from './errors/details.ts';
export {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RequestRejectedError,
  ServerError,
  ValidationError,
} from './errors/kinds.ts';
export {
  ConnectionFailedError,
  NotSentError,
  TimedOutError,
  TransportOrdersError,
} from './errors/transport-orders-error.ts';
export type { Locations } from './locations.ts';
export type { CallOptions, ClientOptions, CreateOptions, Limits } from './options.ts';
export type { Orders } from './orders.ts';
export { type Page, Pages } from './pages.ts';
export type * from './types.ts';
export { version } from './version.ts';
export type { Webhooks } from './webhooks.ts';
