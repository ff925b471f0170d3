/** Why a call failed: what a service, a proxy or nobody has answered. */
import { Code, ConnectError } from '@connectrpc/connect';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { Reason } from './failure-words.ts';

/** Kinds of answers without one: of a proxy, or of the console. */
const kindsByCode: Readonly<Partial<Record<Code, string>>> = {
  [Code.ResourceExhausted]: 'RATE_LIMITED',
  [Code.Unavailable]: 'SERVICE_UNAVAILABLE',
  [Code.DeadlineExceeded]: 'DEADLINE_EXCEEDED',
};

/** Returns the details of a failure of a service; empty: it has none. */
export const detailsOf = (thrown: unknown) => {
  const [carried] = ConnectError.from(thrown).findDetails(FailureSchema);
  return { kind: carried?.kind, ...JSON.parse(carried?.detailsJson || '{}') };
};

export const reasonOf = (thrown: unknown): Reason => {
  const { code, metadata, rawMessage: message } = ConnectError.from(thrown);
  const { kind, resource, detail } = detailsOf(thrown);
  if (kind !== undefined) return { kind, subject: resource ?? detail?.[0].loc[0] ?? '', message };
  if (code === Code.Unauthenticated) return { kind: 'OPERATOR_NOT_AUTHENTICATED', message };
  // the metadata of an answer are its headers
  if (metadata.keys().next().done) return { kind: 'NO_ANSWER', message: '' };
  // Connect takes a proxy's 429 for Unavailable, and names the status
  const answered = message === 'HTTP 429' ? Code.ResourceExhausted : code;
  return { kind: kindsByCode[answered] ?? 'INTERNAL', message };
};
