import { Code, ConnectError } from '@connectrpc/connect';
import { leavesOpen } from '@pto/errors/kinds';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { type Failed, statusOf, unanswered } from './answer.ts';
import { pageRequestId } from './page-request-id.ts';

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
}

/** A failure that the page itself found, with a sentence for the person. */
export class PageFailure extends Error {}

/** Whether the session has ended; a 401 without a sentence is a proxy's, which knows no session. */
export const isSignedOut = (error: unknown): boolean => {
  if (error instanceof ApiError) return error.status === 401 && error.message !== 'HTTP 401';
  const { code, rawMessage } = ConnectError.from(error);
  return code === Code.Unauthenticated && rawMessage !== 'HTTP 401';
};

export const failureOf = (thrown: unknown): Failed => {
  if (thrown instanceof PageFailure) return unanswered(400, thrown.message, '');
  if (thrown instanceof ApiError) {
    const { status, code: kind, message, requestId } = thrown;
    return kind === '' ? unanswered(status, message, requestId) : named(kind, message, requestId);
  }
  const error = ConnectError.from(thrown);
  const [carried] = error.findDetails(FailureSchema);
  if (carried) return named(carried.kind, carried.message, pageRequestId());
  const failed = unanswered(statusOf(error), error.rawMessage, pageRequestId());
  return failed.isOffline ? { ...failed, requestId: '' } : failed;
};

/** What a service has answered. */
const named = (kind: string, message: string, requestId: string): Failed => ({
  ...{ kind, what: message, message, requestId, isOffline: false },
  isOpen: leavesOpen(kind),
});
