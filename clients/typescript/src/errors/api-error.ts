import type { ValidationErrorEntry } from '../types.ts';
import type { DetailsOf } from './details.ts';
import { TransportOrdersError } from './transport-orders-error.ts';

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

  constructor(response: ErrorResponse) {
    const id = response.requestId === null ? '' : ` (request ${response.requestId})`;
    super(`${response.status} ${response.code}: ${response.message}${id}`);
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
