import type { FailureKind } from '@pto/errors';

/** Every error kind that a partner can receive: no kinds of internal callers or operators. */
export type PublicKind = Exclude<FailureKind, 'CALLER_NOT_ALLOWED' | `OPERATOR_${string}`>;

export interface CatalogueEntry {
  readonly meaning: string;
  readonly whatToDo: string;
  /** An example of `details`, if the code has details. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The meaning of each code and what to do about it, in plain text. The type requires an entry for
 * each public kind; the codes and statuses are in `@pto/errors`.
 */
export const errorCatalogue: Readonly<Record<PublicKind, CatalogueEntry>> = {
  MISSING_API_KEY: {
    meaning: 'The request has no API key.',
    whatToDo: 'Send the header "Authorization: Bearer <key>".',
  },
  INVALID_API_KEY: {
    meaning:
      'The key is not known or misspelt, came in two headers, or came without the scheme Bearer.',
    whatToDo:
      'Read the message: it names a wrong scheme. Else compare the key with the one you were given, to the last character.',
  },
  API_KEY_REVOKED: {
    meaning: 'The key was revoked.',
    whatToDo: 'Use the key that replaces it, or ask the operator for one.',
  },
  API_KEY_EXPIRED: {
    meaning: 'The key has expired, or the overlap after its rotation is over.',
    whatToDo: 'Use the key that replaces it, or ask the operator for one.',
  },
  API_KEY_WRONG_ENVIRONMENT: {
    meaning: 'A test key was sent to production, or a live key to the sandbox.',
    whatToDo: 'Keys of svc_live_ belong to production, keys of svc_test_ to the sandbox.',
  },
  ORGANIZATION_NOT_ENABLED: {
    meaning: 'Your organization has no access at present.',
    whatToDo: 'Ask the operator to enable it. The key itself is good.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The key does not have the scope that the operation needs.',
    whatToDo:
      'Use a key with the scope named in details.required_scope. Scopes are fixed at issue.',
    details: { required_scope: 'orders:write' },
  },
  CLIENT_ADDRESS_NOT_ALLOWED: {
    meaning: 'The key is good, but may be used from certain client addresses only.',
    whatToDo:
      'Send the request from an allowed address, or ask the operator to add yours. If you did not send it, ask for a new key: this one has leaked.',
  },
  RATE_LIMITED: {
    meaning:
      'A budget per minute is used up: of reads, of writes, or of requests rejected with 403, 404 of a path, or 405. Or 64 requests of your organization wait already; or too many bad keys came from your address. A 429 is sent 1 s after its request.',
    whatToDo: 'Wait as many seconds as Retry-After says; watch X-RateLimit-Remaining before that.',
  },
  VALIDATION: {
    meaning:
      'The request is not what the operation takes. This answer has no code: its body is the array "detail", with one entry for each fault.',
    whatToDo: 'Fix the value at each loc. The same request will be rejected again.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not declared as JSON in UTF-8, or it is compressed.',
    whatToDo: 'Send "Content-Type: application/json" and no Content-Encoding.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 256 KiB.',
    whatToDo: 'Send less; details.max_bytes is the limit.',
    details: { max_bytes: 262_144 },
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path is there, but not for this method.',
    whatToDo: 'Use one of the methods in the header Allow.',
    details: { allow: 'GET, HEAD, POST, OPTIONS' },
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request was not received completely in time.',
    whatToDo: 'Send the complete request again.',
  },
  NOT_FOUND: {
    meaning: "There is nothing of that id or path, or it is another organization's.",
    whatToDo: 'Look at details.resource: what it names was not found. Paths match exactly.',
    details: { resource: 'order' },
  },
  LOCATION_NOT_FOUND: {
    meaning: "The location_id names no location of your organization's.",
    whatToDo: 'List your locations, or send the address itself; details.field says which stop.',
    details: { field: 'pickup.location_id' },
  },
  ADDRESS_NOT_RESOLVED: {
    meaning: 'The address was not found on the map. No order was created.',
    whatToDo: 'Correct the address that details.field names, and send the order again.',
    details: { field: 'dropoff.address_text' },
  },
  GEOCODER_UNAVAILABLE: {
    meaning: 'Addresses cannot be looked up at present. No order was created.',
    whatToDo: 'Send the same request again after Retry-After seconds.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A request with this Idempotency-Key is still being worked on.',
    whatToDo: 'Send the same request again after Retry-After seconds: you get its answer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'This Idempotency-Key was used with another body.',
    whatToDo:
      'Take a new key for a new order, location or endpoint; repeat an old one only with its own body.',
  },
  DUPLICATE_EXTERNAL_ID: {
    meaning: 'Your organization has an order of this external_id, maybe a cancelled one.',
    whatToDo: 'Fetch the order that details.order_id names, or take another external_id.',
    details: { field: 'external_id', order_id: '018f4e9c-2b7a-7c31-9d55-4a1e0f6b8c22' },
  },
  ILLEGAL_TRANSITION: {
    meaning: 'The order, or the endpoint, is not in a state that allows this.',
    whatToDo:
      'Look at details. Only a DRAFT can be submitted; a disabled endpoint (`disabled: true`) has to be enabled before anything is sent to it again.',
    details: { status: 'CLOSED', target: 'SUBMITTED' },
  },
  CANCEL_NOT_ALLOWED: {
    meaning: 'Custody has begun, or the order was cancelled for another reason.',
    whatToDo: 'Talk to the operator; details.blocking_event says what stands in the way.',
    details: {
      status: 'PICKUP_STARTED',
      target: 'CANCELLED',
      blocking_event: { type: 'order.pickup_started', ts_utc: '2026-03-02T08:14:09.000Z' },
    },
  },
  WEBHOOK_LIMIT_REACHED: {
    meaning: 'Your organization has as many webhook endpoints as it may.',
    whatToDo: 'Delete one that you do not need.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the service is unavailable for a moment.',
    whatToDo: 'Try again after Retry-After seconds, with the same Idempotency-Key if you sent one.',
  },
  DEADLINE_EXCEEDED: {
    meaning: 'The answer took too long. What you asked for may have been done all the same.',
    whatToDo: 'Ask again after Retry-After seconds, with the same Idempotency-Key if you sent one.',
  },
  INTERNAL: {
    meaning: 'Something went wrong on our side.',
    whatToDo: 'Tell the operator the X-Request-Id of the answer.',
  },
};

export const publicKinds = Object.keys(errorCatalogue) as readonly PublicKind[];
