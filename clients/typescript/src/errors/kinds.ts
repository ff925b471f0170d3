import { ApiError, type ErrorResponse } from './api-error.ts';

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
  const Kind = code === 'VALIDATION' ? ValidationError : (classes[status] ?? usual);
  return new Kind(response);
};
