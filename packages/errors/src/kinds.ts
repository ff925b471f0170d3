/** The status codes by name; gRPC and Connect use the same numbers. */
export const rpcCodes = {
  invalid_argument: 3,
  deadline_exceeded: 4,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  resource_exhausted: 8,
  failed_precondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;
export type RpcCode = keyof typeof rpcCodes;

interface Kind {
  readonly rpc: RpcCode;
  /** HTTP status of the gateway's response. */
  readonly http: number;
  /** Whether the unchanged request may succeed later. */
  readonly retryable: boolean;
}

const kind = (rpc: RpcCode, http: number, retryable = false): Kind => ({ rpc, http, retryable });

/**
 * All error kinds: the key is the public code (contract 7), the row has the RPC code and the HTTP
 * status. The numbers in brackets are decisions.
 */
export const kinds = {
  // credentials and scopes [17, 18]
  MISSING_API_KEY: kind('unauthenticated', 401),
  INVALID_API_KEY: kind('unauthenticated', 401),
  API_KEY_REVOKED: kind('unauthenticated', 401),
  API_KEY_EXPIRED: kind('unauthenticated', 401),
  API_KEY_WRONG_ENVIRONMENT: kind('unauthenticated', 401),
  ORGANIZATION_NOT_ENABLED: kind('permission_denied', 403),
  INSUFFICIENT_SCOPE: kind('permission_denied', 403),
  CLIENT_ADDRESS_NOT_ALLOWED: kind('permission_denied', 403), // [60]
  OPERATOR_NOT_AUTHENTICATED: kind('unauthenticated', 401), // operators [59]
  OPERATOR_NOT_PERMITTED: kind('permission_denied', 403), // operators [59]
  CALLER_NOT_ALLOWED: kind('permission_denied', 403), // internal calls [58]
  ORGANIZATION_HELD: kind('aborted', 503, true), // internal calls: a move holds the organization
  RATE_LIMITED: kind('resource_exhausted', 429, true), // [47]
  // form of requests [1, 15]
  VALIDATION: kind('invalid_argument', 422),
  UNSUPPORTED_MEDIA_TYPE: kind('invalid_argument', 415),
  PAYLOAD_TOO_LARGE: kind('invalid_argument', 413),
  METHOD_NOT_ALLOWED: kind('invalid_argument', 405),
  REQUEST_TIMEOUT: kind('deadline_exceeded', 408, true),
  NOT_FOUND: kind('not_found', 404), // [15, 21]
  // orders [4, 8, 11, 25-27]
  LOCATION_NOT_FOUND: kind('failed_precondition', 422),
  ADDRESS_NOT_RESOLVED: kind('failed_precondition', 422),
  GEOCODER_UNAVAILABLE: kind('unavailable', 503, true),
  IDEMPOTENCY_IN_PROGRESS: kind('aborted', 409, true),
  IDEMPOTENCY_KEY_REUSED: kind('failed_precondition', 409),
  DUPLICATE_EXTERNAL_ID: kind('already_exists', 409),
  ILLEGAL_TRANSITION: kind('failed_precondition', 409),
  CANCEL_NOT_ALLOWED: kind('failed_precondition', 400),
  // keys that partners rotate
  KEY_ROTATION_NOT_ALLOWED: kind('failed_precondition', 409),
  // webhooks [45]
  WEBHOOK_LIMIT_REACHED: kind('failed_precondition', 409),
  // the service itself
  SERVICE_UNAVAILABLE: kind('unavailable', 503, true),
  DEADLINE_EXCEEDED: kind('deadline_exceeded', 503, true),
  INTERNAL: kind('internal', 500),
} as const satisfies Record<string, Kind>;

export type FailureKind = keyof typeof kinds;

export const isFailureKind = (text: string): text is FailureKind => Object.hasOwn(kinds, text);

const leavingOpen: readonly string[] = ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL'];

/** Whether a failure of this kind leaves open that the work of the call was done. */
export const leavesOpen = (kind: string): boolean => leavingOpen.includes(kind);
