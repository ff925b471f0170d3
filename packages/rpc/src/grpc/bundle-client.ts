import { create, type Message } from '@bufbuild/protobuf';
import { type Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { type Failure, toFailure } from '@pto/errors';
import {
  BundledCallSchema,
  type BundledResult,
  CallManyRequestSchema,
  type CallManyResponse,
} from '@pto/proto/rpc/v1/bundle';
import { fromFailureMessage } from '../wire.ts';
import {
  bundleBytesMax,
  bundleCallsMax,
  bundleDefinition,
  grpcFailure,
  isUnavailable,
  toWallClock,
} from './grpc-wire.ts';

export interface WaitingCall {
  /** Full name of the RPC, e.g. `orders.v1.OrderService/GetOrder`. */
  readonly rpc: string;
  readonly hasSideEffects: boolean;
  readonly request: Buffer;
  /** The call's deadline as a time of `performance.now()`. */
  readonly deadline: number;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
  respond(bytes: Uint8Array): void;
  reject(failure: Failure): void;
  /** Sends the call separately, without a bundle. */
  callAlone(): void;
}

/**
 * Maximum size in bytes of a request in a bundle. Larger requests gain nothing from sharing a
 * message.
 */
const requestBytesMax = 64 * 1024;
/**
 * Maximum difference in ms between the deadlines of a bundle's first call and of any other call in
 * it, because the bundle has the latest deadline.
 */
const deadlineSpreadMs = 1000;

/**
 * Sends the calls that are made in one turn of the event loop as one message. A single call, a
 * large call, and a call whose deadline differs too much (`deadlineSpreadMs`) are sent separately.
 * If a bundle ends without the result of a call, the call is sent again, separately, in two cases:
 * the server's release does not support bundles; or no server has responded, the call has no side
 * effects and its deadline has not passed. In all other cases the call rejects.
 */
export const createBundles = (client: Client) => {
  let waiting: WaitingCall[] = [];
  let bytes = 0;

  const flush = (): void => {
    const calls = waiting;
    [waiting, bytes] = [[], 0];
    if (calls.length === 1) calls[0]!.callAlone();
    else if (calls.length > 1)
      try {
        send(client, calls);
      } catch (error) {
        for (const { reject } of calls) reject(toFailure(error)); // the channel was closed
      }
  };

  return (call: WaitingCall): void => {
    const size = call.request.length;
    const first = waiting[0] ?? call;
    if (size > requestBytesMax || Math.abs(call.deadline - first.deadline) > deadlineSpreadMs) {
      call.callAlone();
      return;
    }
    if (waiting.length === bundleCallsMax || bytes + size > bundleBytesMax) flush();
    if (waiting.push(call) === 1) setImmediate(flush);
    bytes += size;
  };
};

const send = (client: Client, calls: readonly WaitingCall[]): void => {
  const now = performance.now();
  const request = create(CallManyRequestSchema, {
    calls: calls.map(({ rpc, request, deadline, requestId = '', traceparent = '' }) =>
      create(BundledCallSchema, {
        method: rpc,
        request,
        timeoutMs: Math.max(1, Math.ceil(deadline - now)),
        requestId,
        traceparent,
      }),
    ),
  });
  const open = new Map(calls.entries());
  const stream = client.makeServerStreamRequest(
    bundleDefinition.path,
    bundleDefinition.requestSerialize,
    bundleDefinition.responseDeserialize,
    request,
    new Metadata(),
    { deadline: toWallClock(Math.max(...calls.map(({ deadline }) => deadline))) },
  );
  stream.on('data', (message: Message) => {
    for (const result of (message as CallManyResponse).results) {
      const call = open.get(result.place);
      open.delete(result.place);
      if (call) settle(call, result.outcome);
    }
  });
  const end = (error: ServiceError): void => {
    for (const call of open.values())
      if (mayGoAlone(call, error)) call.callAlone();
      else call.reject(grpcFailure(error));
    open.clear();
  };
  stream.on('error', end);
  stream.on('end', () => end(endedEarly));
};

const settle = (call: WaitingCall, outcome: BundledResult['outcome']): void => {
  if (outcome.case === 'failure') call.reject(fromFailureMessage(outcome.value));
  else call.respond(outcome.case === 'response' ? outcome.value : new Uint8Array());
};

const mayGoAlone = ({ hasSideEffects, deadline }: WaitingCall, error: ServiceError): boolean =>
  error.code === status.UNIMPLEMENTED ||
  (!hasSideEffects && isUnavailable(error) && deadline > performance.now());

const endedEarly = Object.assign(new Error('the bundle ended without this result'), {
  code: status.UNAVAILABLE,
  details: '',
  metadata: new Metadata(),
}) as ServiceError;
