import type { ServerResponse } from 'node:http';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import {
  ConnectError,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { kinds, rpcCodes, toFailure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import type { createCall, Implementation, Incoming } from '../call.ts';
import { requestIdHeader, toFailureMessage } from '../wire.ts';

const arrivedAt = createContextKey(0);

/** Creates a call's context values, with the time at which its headers arrived. */
export const arrivedNow = () => createContextValues().set(arrivedAt, performance.now());

/**
 * Returns the deadline of a call as a time of `performance.now()`; undefined if the caller sent
 * none. Connect's own `timeoutMs()` follows the wall clock, so a step while the body is read would
 * end the call.
 */
const deadlineOf = ({ requestHeader, values }: HandlerContext): number | undefined => {
  const timeoutMs = requestHeader.get('connect-timeout-ms');
  return timeoutMs === null ? undefined : values.get(arrivedAt) + Number(timeoutMs);
};

/** Runs a call that was received over Connect, and converts its failure. */
export const serve = async (
  call: ReturnType<typeof createCall>,
  implementation: Implementation,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
  caller: Pick<Incoming, 'peer' | 'operator'>,
): Promise<Message> => {
  const { requestHeader } = context;
  try {
    return await call(implementation, method, {
      ...caller,
      request,
      requestId: requestHeader.get(requestIdHeader) ?? undefined,
      traceparent: requestHeader.get('traceparent') ?? undefined,
      deadline: deadlineOf(context),
      signal: () => context.signal,
    });
  } catch (thrown) {
    throw toConnectError(thrown);
  }
};

/**
 * Converts any thrown value to a Failure, and the Failure to an error of the Connect protocol with
 * the Failure's public part as a detail.
 */
const toConnectError = (thrown: unknown): ConnectError => {
  const failure = toFailure(thrown);
  return new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
    { desc: FailureSchema, value: toFailureMessage(failure) },
  ]);
};

/**
 * Responds to a unary call with an error of the Connect protocol, without reading the call's body.
 */
export const rejectUnread = (response: ServerResponse, thrown: unknown): void => {
  const error = toConnectError(thrown);
  response
    .writeHead(codeToHttpStatus(error.code), { 'Content-Type': contentTypeUnaryJson })
    .end(errorToJsonBytes(error, undefined));
};
