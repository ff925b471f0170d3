import {
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { Failure } from '@pto/errors';
import { BundleService } from '@pto/proto/rpc/v1/bundle';
import { failureFromBytes, rpcName } from '../wire.ts';

const bytes = (descriptor: DescMethod['input']) => ({
  serialize: (message: Message) => {
    const { buffer, byteOffset, byteLength } = toBinary(descriptor, message);
    return Buffer.from(buffer, byteOffset, byteLength); // no copy: a list page can have 1 MiB
  },
  deserialize: (buffer: Buffer) => fromBinary(descriptor, buffer),
});

/**
 * Converts a method to grpc-js's form. protobuf-es serializes, so no second code generator is
 * needed.
 */
export const grpcMethod = (method: DescMethod): MethodDefinition<Message, Message> => {
  const input = bytes(method.input);
  const output = bytes(method.output);
  return {
    path: `/${rpcName(method)}`,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: input.serialize,
    requestDeserialize: input.deserialize,
    responseSerialize: output.serialize,
    responseDeserialize: output.deserialize,
  };
};

export const grpcDefinition = (service: DescService): ServiceDefinition =>
  Object.fromEntries(service.methods.map((m) => [m.localName, grpcMethod(m)]));

/**
 * Keepalive of both ends of a connection. The process that pings, or its peer, may be stopped for
 * seconds on a busy machine. If that closed the connection, each call in flight would end as
 * UNAVAILABLE while the server goes on with it and commits: the caller never sees its result, such
 * as the secret of a new webhook. So the timeout is longer than the longest call, 14 s for a
 * handshake. A peer that is gone is noticed after 25 s; each of its calls ends at its own deadline.
 */
export const keepalive = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 15_000,
} as const;

/**
 * Deadlines at the edge of grpc-js, which takes and returns them by the wall clock. Everywhere else
 * a deadline is a time of `performance.now()`, so that a step of the wall clock changes none.
 */

/** Returns a deadline for grpc-js. Convert immediately before the call. */
export const toWallClock = (deadline: number): number => Date.now() + deadline - performance.now();

/** Returns a deadline of grpc-js as a time of `performance.now()`; Infinity if there is none. */
export const fromWallClock = (deadline: Date | number): number =>
  performance.now() + Number(deadline) - Date.now();

/** Trailing metadata that carries the public part of a Failure. */
export const failureHeader = 'failure-bin';

/**
 * Whether the connection ended during the call. grpc-js reports that as INTERNAL, except for
 * ECONNRESET and ETIMEDOUT.
 */
const isReset = ({ code, details }: ServiceError): boolean =>
  code === status.INTERNAL && /^Received RST_STREAM/.test(details);

/**
 * Whether a transport error means that no server has responded. Do not call this for an error that
 * carries a Failure, because a server has sent that error.
 */
export const isUnavailable = (error: ServiceError): boolean =>
  error.code === status.UNAVAILABLE || error.code === status.CANCELLED || isReset(error);

/**
 * Returns the Failure that the server sent, or the Failure that corresponds to the transport error.
 */
export const grpcFailure = (error: ServiceError): Failure => {
  const carried = error.metadata?.get(failureHeader)[0];
  if (carried instanceof Buffer) return failureFromBytes(carried);
  if (error.code === status.DEADLINE_EXCEEDED)
    return new Failure('DEADLINE_EXCEEDED', 'This took too long.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  if (isUnavailable(error))
    return new Failure('SERVICE_UNAVAILABLE', 'A part of the service is unavailable right now.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  return new Failure('INTERNAL', 'Something went wrong on our side.', { cause: error });
};

/**
 * Bundles serve R1: CPU time of a read in the gateway 1,021 to 423 µs (docs/performance.md).
 * Limits and definition that their client and server share (rpc/v1/bundle.proto).
 */
export const bundleDefinition = grpcMethod(BundleService.method.callMany);

/** Maximum number of calls per bundle. */
export const bundleCallsMax = 64;
/** Maximum size of a bundle's requests in bytes. A server receives messages of at most 1 MiB. */
export const bundleBytesMax = 512 * 1024;
/** Maximum size of the results in one message, in bytes, unless the message has a single result. */
export const bundleResultBytesMax = 1024 * 1024;

/** The members of a grpc-js call that report its cancellation. */
interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/**
 * Returns a function that returns the signal of a call, aborted when the caller cancels. The signal
 * is created at the first use, because most handlers never use it.
 */
export const cancellation = (call: Cancellable): (() => AbortSignal) => {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const made = new AbortController();
    controller = made;
    if (call.cancelled) made.abort();
    else call.on('cancelled', () => made.abort());
    return made.signal;
  };
};
