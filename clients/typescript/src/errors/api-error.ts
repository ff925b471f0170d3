import type { ValidationErrorEntry } from '../types.ts';
import type { DetailsOf } from './details.ts';
import { TransportOrdersError } from './transport-orders-error.ts';

/** What a response with an error says. */
export interface ErrorResponse {
  readonly status: number;
  /** Stable: decide by it. Codes may be added. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Quote it to support; null if the response has none. */
  readonly requestId: string | null;
  /** Seconds to wait before the request is repeated; null if the response does not say. */
  readonly retryAfter: number | null;
  /** Entries of a validation error; empty for every other error. */
  readonly errors: readonly ValidationErrorEntry[];
}

/** The server rejected the request, or failed. Subclasses follow the status; `is` narrows by code. */
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
