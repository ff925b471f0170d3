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
export type { Locations } from './client.ts';
export { Client } from './client.ts';
export type { DetailsOf, ErrorDetails } from './errors.ts';
export {
  ApiError,
  AuthenticationError,
  BeyondFeedError,
  ConflictError,
  ConnectionFailedError,
  NotFoundError,
  NotSentError,
  PermissionDeniedError,
  RateLimitError,
  RequestRejectedError,
  ServerError,
  TimedOutError,
  TransportOrdersError,
  ValidationError,
} from './errors.ts';
export type { FollowOptions } from './events.ts';
export type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  Limits,
  OrderCreateOptions,
} from './options.ts';
export type { Orders } from './orders.ts';
export { Changes, type Page, Pages } from './pages.ts';
export type { PortalLinks } from './portal-links.ts';
export type { Sandbox } from './sandbox.ts';
export type * from './types.ts';
export { version } from './version.ts';
export type { Deliveries, Webhooks } from './webhooks.ts';
