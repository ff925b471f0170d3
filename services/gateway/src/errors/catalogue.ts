import type { FailureKind } from '@pto/errors';

/** Every error kind that a partner can receive: no kinds of internal callers or operators. */
export type PublicKind = Exclude<
  FailureKind,
  'CALLER_NOT_ALLOWED' | 'ORGANIZATION_HELD' | `OPERATOR_${string}`
>;

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
      'The key is unknown or misspelled, or the request has two Authorization headers or a scheme other than Bearer.',
    whatToDo:
      'The message names a wrong scheme. Otherwise compare the complete key with the one that was issued to you.',
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
    whatToDo: 'Ask the operator to enable access. The key itself is valid.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The key does not have the scope that the operation needs.',
    whatToDo:
      'Use a key with the scope named in details.required_scope. Scopes are fixed at issue.',
    details: { required_scope: 'orders:write' },
  },
  CLIENT_ADDRESS_NOT_ALLOWED: {
    meaning: 'The key is valid, but it may be used only from certain client addresses.',
    whatToDo:
      'Send the request from an allowed address, or ask the operator to add yours. If you did not send the request, the key has leaked: ask for a new one.',
  },
  RATE_LIMITED: {
    meaning:
      'A budget per minute is used up: of reads, of writes, or of requests rejected with 403, 404 of a path, or 405. Or 64 requests of your organization already wait, or your address sent too many invalid keys. A 429 is sent 1 s after its request.',
    whatToDo:
      'Wait for the number of seconds in Retry-After. Read X-RateLimit-Remaining to stay within the budget.',
  },
  VALIDATION: {
    meaning:
      'The request does not match the schema of the operation. This response has no code: its body is the array "detail", with one entry for each error.',
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
    meaning: 'This path does not support this method.',
    whatToDo: 'Use one of the methods in the header Allow.',
    details: { allow: 'GET, HEAD, POST, OPTIONS' },
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request was not received completely in time.',
    whatToDo: 'Send the complete request again.',
  },
  NOT_FOUND: {
    meaning: 'The id or path does not exist, or it belongs to another organization.',
    whatToDo: 'details.resource names what was not found. Paths match exactly.',
    details: { resource: 'order' },
  },
  LOCATION_NOT_FOUND: {
    meaning: 'The location_id is not the id of a location of your organization.',
    whatToDo: 'List your locations, or send the address itself; details.field names the stop.',
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
    meaning: 'A request with this Idempotency-Key is still being processed.',
    whatToDo: 'Send the same request again after Retry-After seconds to get its response.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'This Idempotency-Key was used with another body.',
    whatToDo:
      'Use a new key for each new order, location or endpoint. Repeat a key only with the same body.',
  },
  DUPLICATE_EXTERNAL_ID: {
    meaning:
      'Your organization already has an order with this external_id, possibly a cancelled one.',
    whatToDo: 'Get the order that details.order_id names, or use another external_id.',
    details: { field: 'external_id', order_id: '018f4e9c-2b7a-7c31-9d55-4a1e0f6b8c22' },
  },
  ILLEGAL_TRANSITION: {
    meaning: 'The order, or the endpoint, is not in a state that allows this.',
    whatToDo:
      'Read details. Only a DRAFT can be submitted; a disabled endpoint (`disabled: true`) has to be enabled before anything is sent to it again.',
    details: { status: 'CLOSED', target: 'SUBMITTED' },
  },
  CANCEL_NOT_ALLOWED: {
    meaning: 'Custody has begun, or the order was cancelled for another reason.',
    whatToDo:
      'Contact the operator; details.blocking_event is the event that prevents the cancellation.',
    details: {
      status: 'PICKUP_STARTED',
      target: 'CANCELLED',
      blocking_event: { type: 'order.pickup_started', ts_utc: '2026-03-02T08:14:09.000Z' },
    },
  },
  KEY_ROTATION_NOT_ALLOWED: {
    meaning:
      'The key was rotated before, has ended, ends later than yours, or the key that it replaced still works; or your organization got 100 keys in a day.',
    whatToDo: 'The message says which. List the keys: `rotatable` says which ones you may rotate.',
  },
  WEBHOOK_LIMIT_REACHED: {
    meaning: 'Your organization has the maximum number of webhook endpoints.',
    whatToDo: 'Delete one that you do not need.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the service is temporarily unavailable.',
    whatToDo: 'Try again after Retry-After seconds, with the same Idempotency-Key if you sent one.',
  },
  DEADLINE_EXCEEDED: {
    meaning: 'The response took too long. The request may have been executed nevertheless.',
    whatToDo: 'Try again after Retry-After seconds, with the same Idempotency-Key if you sent one.',
  },
  INTERNAL: {
    meaning: 'An internal error occurred.',
    whatToDo: 'Give the X-Request-Id of the response to the operator.',
  },
};

export const publicKinds = Object.keys(errorCatalogue) as readonly PublicKind[];
