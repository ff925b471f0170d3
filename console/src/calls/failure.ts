import { Code, ConnectError } from '@connectrpc/connect';
import { leavesOpen } from '@pto/errors/kinds';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { pageRequestId } from './page-request-id.ts';

/** What a person reads about a failed call. */
export interface Failed {
  /** A kind of packages/errors, such as ILLEGAL_TRANSITION; empty if no service answered. */
  readonly kind: string;
  readonly message: string;
  /** By which the logs have the call; empty: none, as no service answered. */
  readonly requestId: string;
  /** No answer came: the network, the console or a service is unavailable. */
  readonly isOffline: boolean;
  /** It is open whether a command took effect. */
  readonly isOpen: boolean;
}

/** A response of the partners' API that is no success; without a status, no response came. */
export class ApiError extends Error {
  readonly status: number | undefined;
  /** A code of contract 7; empty: none, as no service answered. */
  readonly code: string;
  /** The `X-Request-Id` of the response; empty: none. */
  readonly requestId: string;

  constructor(status: number | undefined, code: string, message: string, requestId = '') {
    super(message);
    this.requestId = requestId;
    this.status = status;
    this.code = code;
  }

  /** No answer came, or one of a proxy or the console that a service is unavailable. */
  get isOffline(): boolean {
    return this.code === '' && (this.status === undefined || this.status >= 500);
  }
}

/** A failure that the page itself found, with a sentence for the person. */
export class PageFailure extends Error {}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.status === 401
    : ConnectError.from(error).code === Code.Unauthenticated;

export const failureOf = (thrown: unknown): Failed => {
  if (thrown instanceof ApiError)
    return {
      kind: thrown.code,
      message: thrown.message,
      requestId: thrown.requestId,
      isOffline: thrown.isOffline,
      isOpen: thrown.isOffline || leavesOpen(thrown.code),
    };
  if (thrown instanceof PageFailure)
    return { kind: '', message: thrown.message, requestId: '', isOffline: false, isOpen: false };
  const error = ConnectError.from(thrown);
  const [carried] = error.findDetails(FailureSchema);
  if (carried) {
    const { kind, message } = carried;
    const requestId = pageRequestId();
    return { kind, message, requestId, isOffline: false, isOpen: leavesOpen(kind) };
  }
  const isOffline = [Code.Unavailable, Code.Unknown, Code.DeadlineExceeded].includes(error.code);
  return {
    kind: '',
    message: isOffline ? 'No answer. The console tries again.' : error.rawMessage,
    requestId: isOffline ? '' : pageRequestId(),
    isOffline,
    isOpen: isOffline,
  };
};
