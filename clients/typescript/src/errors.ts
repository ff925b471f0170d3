import type { ValidationErrorEntry } from './types.ts';

/** Base class of the errors of calls. An aborted call throws the reason of your signal instead. */
export class TransportOrdersError extends Error {
  override readonly name: string = 'TransportOrdersError';
}

/** The client's options or the arguments of the call are wrong. Nothing was sent. */
export class NotSentError extends TransportOrdersError {
  override readonly name: string = 'NotSentError';
}

/** No complete response was received: the connection failed or ended early. */
export class ConnectionFailedError extends TransportOrdersError {
  override readonly name: string = 'ConnectionFailedError';
}

/** The attempt or the call exceeded its time; the server may have executed the request. */
export class TimedOutError extends TransportOrdersError {
  override readonly name: string = 'TimedOutError';
}

/** Documented members of `details`, by error code. The API may add codes. */
export interface ErrorDetails {
  /** `field` is a dotted path, such as `pickup.address`. */
  ADDRESS_NOT_RESOLVED: { readonly field: string };
  LOCATION_NOT_FOUND: { readonly field: string };
  /** `order_id` is the order that has the `external_id`. */
  DUPLICATE_EXTERNAL_ID: { readonly field: string; readonly order_id: string };
  /** `blocking_event` is the event that began custody or cancelled the order. */
  CANCEL_NOT_ALLOWED: {
    readonly status: string;
    readonly blocking_event: { readonly type: string; readonly ts_utc: string } | null;
  };
  ILLEGAL_TRANSITION: { readonly status: string };
  INSUFFICIENT_SCOPE: { readonly required_scope: string };
  NOT_FOUND: { readonly resource?: string };
}

export type DetailsOf<Code extends string> = Code extends keyof ErrorDetails
  ? ErrorDetails[Code]
  : unknown;

/** The content of an error response. */
export interface ErrorResponse {
  readonly status: number;
  /** Stable error code; make decisions by it. The API may add codes. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the request; quote it to support. Null if the response has none. */
  readonly requestId: string | null;
  /** Seconds to wait before the request is repeated; null without a `Retry-After` header. */
  readonly retryAfter: number | null;
  /** Entries of a validation error; empty for every other error. */
  readonly errors: readonly ValidationErrorEntry[];
}

/** An error response. Each subclass is for some statuses; `is` narrows `details` by code. */
export class ApiError extends TransportOrdersError implements ErrorResponse {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly errors: readonly ValidationErrorEntry[];

  constructor(response: ErrorResponse, options?: { readonly cause?: unknown }) {
    const id = response.requestId === null ? '' : ` (request ${response.requestId})`;
    super(`${response.status} ${response.code}: ${response.message}${id}`, options);
    this.status = response.status;
    this.code = response.code;
    this.details = response.details;
    this.requestId = response.requestId;
    this.retryAfter = response.retryAfter;
    this.errors = response.errors;
  }

  /** Whether the error has this code; narrows `details` to the members of the code. */
  is<Code extends string>(
    code: Code,
  ): this is this & { readonly code: Code; readonly details: DetailsOf<Code> } {
    return this.code === code;
  }
}

/** 401: the key is missing, invalid, revoked, expired, or of the other environment. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
}

/** 403: the key lacks a scope, or the organization is not enabled. */
export class PermissionDeniedError extends ApiError {
  override readonly name: string = 'PermissionDeniedError';
}

/** 404: your organization has no such resource. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** 409: the request contradicts an earlier one or the state of the resource. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 422 with code `VALIDATION`: the request has the wrong form, and `errors` lists the faults. */
export class ValidationError extends ApiError {
  override readonly name: string = 'ValidationError';
}

/**
 * 422 of a position that the feed of events does not have (decision 77): the number is of another
 * organization, environment or installation. Begin again with 0, or with `newest` for events to come.
 */
export class BeyondFeedError extends ValidationError {
  override readonly name: string = 'BeyondFeedError';
  /** Number of the feed's newest event; 0 without one. */
  readonly newest: number;

  constructor(response: ErrorResponse, newest: number) {
    const next = `the newest event is ${newest}; begin after 0 for all events, or after ${newest}`;
    super({ ...response, message: `${response.message}; ${next}` });
    this.newest = newest;
  }
}

/** Returns the newest number that a validation error of `after` names; undefined for any other. */
const newestOf = ({ errors }: ErrorResponse): number | undefined => {
  const found = errors.find(({ loc }) => loc?.join('.') === 'query.after')?.ctx?.newest;
  return Number.isSafeInteger(found) ? (found as number) : undefined;
};

/** Any other 4xx: the form is valid, and a rule forbids the request. */
export class RequestRejectedError extends ApiError {
  override readonly name: string = 'RequestRejectedError';
}

/** 429: a rate limit is exceeded; `retryAfter` is the wait in seconds. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
}

/** 408, 5xx, or a response of another server. The request may have been executed. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  408: ServerError,
  409: ConflictError,
  429: RateLimitError,
};

/** Returns the error of a response, as an instance of the class for its status or code. */
export const apiError = (response: ErrorResponse): ApiError => {
  const { status, code } = response;
  const usual = status >= 400 && status < 500 ? RequestRejectedError : ServerError;
  const newest = code === 'VALIDATION' ? newestOf(response) : undefined;
  if (newest !== undefined) return new BeyondFeedError(response, newest);
  const Kind = code === 'VALIDATION' ? ValidationError : (classes[status] ?? usual);
  return new Kind(response);
};
