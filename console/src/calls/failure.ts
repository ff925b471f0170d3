import { Code, ConnectError } from '@connectrpc/connect';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';

/** What a person reads about a failed call. */
export interface Failed {
  /** A kind of packages/errors, such as ILLEGAL_TRANSITION; empty if no service answered. */
  readonly kind: string;
  readonly message: string;
  /** No answer came: the network, the console or a service is unavailable. */
  readonly isOffline: boolean;
}

export const isSignedOut = (error: unknown): boolean =>
  ConnectError.from(error).code === Code.Unauthenticated;

export const failureOf = (thrown: unknown): Failed => {
  const error = ConnectError.from(thrown);
  const [carried] = error.findDetails(FailureSchema);
  if (carried) return { kind: carried.kind, message: carried.message, isOffline: false };
  const isOffline = [Code.Unavailable, Code.Unknown, Code.DeadlineExceeded].includes(error.code);
  return {
    kind: '',
    message: isOffline ? 'No answer. The console tries again.' : error.rawMessage,
    isOffline,
  };
};
