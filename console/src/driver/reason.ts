/** Why a call failed: what a service, a proxy or nobody has answered. */
import { ConnectError } from '@connectrpc/connect';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { answerOf, statusOf } from '../calls/answer.ts';
import { isSignedOut } from '../calls/failure.ts';
import type { Reason } from './failure-words.ts';

/** Returns the details of a failure of a service; empty: it has none. */
export const detailsOf = (thrown: unknown) => {
  const [carried] = ConnectError.from(thrown).findDetails(FailureSchema);
  return { kind: carried?.kind, ...JSON.parse(carried?.detailsJson || '{}') };
};

export const reasonOf = (thrown: unknown): Reason => {
  const error = ConnectError.from(thrown);
  const { rawMessage: message } = error;
  const { kind, resource, detail } = detailsOf(thrown);
  if (kind !== undefined) return { kind, subject: resource ?? detail?.[0].loc[0] ?? '', message };
  if (isSignedOut(thrown)) return { kind: 'OPERATOR_NOT_AUTHENTICATED', message };
  const answer = answerOf(statusOf(error)) ?? 'INTERNAL';
  return { kind: answer, message: answer === 'NO_ANSWER' ? '' : message };
};
