/** What both ends of a wire have in common: names, failures, and the forms and bounds of gRPC. */
import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
} from '@bufbuild/protobuf';
import {
  type Metadata,
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { Failure, isFailureKind } from '@pto/errors';
import { type Failure as FailureMessage, FailureSchema } from '@pto/proto/rpc/v1/failure';
import { serializerOf } from './serialize.ts';

/** Full name of an RPC, e.g. `orders.v1.OrderService/GetOrder`. */
export const rpcName = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

export const requestIdHeader = 'x-request-id';
/** Header with the name of the operator for whom the operators service calls, percent-encoded. */
export const operatorHeader = 'x-operator';
/** Header with the carrier or driver for whom a process calls (`authorize`), as JSON (decision 84). */
export const partyHeader = 'x-party';
/** Trailing metadata of gRPC that carries the public part of a Failure. */
export const failureHeader = 'failure-bin';

export const encodeOperator = (name: string): string => encodeURIComponent(name.toWellFormed());

/** Converts the public part of a Failure to the message that both transports send. */
export const toFailureMessage = (failure: Failure): FailureMessage =>
  create(FailureSchema, {
    kind: failure.kind,
    message: failure.message,
    detailsJson: failure.details === undefined ? '' : JSON.stringify(failure.details),
    retryAfterSeconds: failure.retryAfterSeconds ?? 0,
  });

/**
 * Converts a received message to a Failure. A kind that this version does not know becomes
 * INTERNAL.
 */
export const fromFailureMessage = (message: FailureMessage): Failure => {
  if (!isFailureKind(message.kind))
    return new Failure('INTERNAL', 'Something went wrong on our side.', {
      cause: `unknown kind of failure: ${message.kind}`,
    });
  return new Failure(message.kind, message.message, {
    ...(message.detailsJson !== '' && { details: JSON.parse(message.detailsJson) }),
    ...(message.retryAfterSeconds > 0 && { retryAfterSeconds: message.retryAfterSeconds }),
  });
};

/**
 * Whether a transport error means that no server has responded. grpc-js reports a connection that
 * ended during the call as INTERNAL, except for ECONNRESET and ETIMEDOUT. Do not call this for an
 * error that carries a Failure, because a server has sent that error.
 */
export const isUnavailable = ({ code, details }: ServiceError): boolean =>
  code === status.UNAVAILABLE ||
  code === status.CANCELLED ||
  (code === status.INTERNAL && /^Received RST_STREAM/.test(details));

/**
 * Returns the Failure that the server sent, or the Failure that corresponds to the transport error.
 */
export const grpcFailure = (error: ServiceError): Failure => {
  const carried = error.metadata?.get(failureHeader)[0];
  if (carried instanceof Buffer) return fromFailureMessage(fromBinary(FailureSchema, carried));
  if (error.code === status.DEADLINE_EXCEEDED) return deadlineExceeded(error);
  if (isUnavailable(error))
    return new Failure('SERVICE_UNAVAILABLE', 'A part of the service is unavailable right now.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  return new Failure('INTERNAL', 'Something went wrong on our side.', { cause: error });
};

const bytes = (descriptor: DescMethod['input']) => ({
  serialize: serializerOf(descriptor),
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
 * Deadlines at the edge of grpc-js, which keeps them by the wall clock. Everywhere else a deadline is
 * a time of `performance.now()`, so that a step of the wall clock changes none.
 */

/**
 * Gives a call its deadline: the server reads it from the metadata, and `onPassed` is called when it
 * has passed. grpc-js gets no deadline, because it would end a call that waits for a connection
 * while the wall clock steps.
 * @param metadata sent with the call; gets a header.
 * @returns a function to call at the call's end.
 */
export const startDeadline = (
  deadline: number,
  metadata: Metadata,
  onPassed: (failure: Failure) => void,
): (() => void) => {
  const timeoutMs = Math.min(timeLeftMs(deadline), timeoutMaxMs);
  metadata.set('grpc-timeout', `${timeoutMs}m`);
  const timer = setTimeout(() => onPassed(deadlineExceeded()), timeoutMs);
  return () => clearTimeout(timer);
};

/** Returns the whole milliseconds until a time of `performance.now()`, at least 1. */
export const timeLeftMs = (deadline: number): number =>
  Math.max(1, Math.ceil(deadline - performance.now()));

/** The greatest number of milliseconds that the header takes: eight digits. */
const timeoutMaxMs = 99_999_999;

const deadlineExceeded = (cause?: ServiceError): Failure =>
  new Failure('DEADLINE_EXCEEDED', 'This took too long.', { retryAfterSeconds: 1, cause });

/** Returns a deadline of grpc-js as a time of `performance.now()`; Infinity if there is none. */
export const fromWallClock = (deadline: Date | number): number =>
  performance.now() + Number(deadline) - Date.now();

/**
 * Maximum size of a request to a service, in bytes. The services of orders receive artifacts of up
 * to 5 MiB (decision 71), which the console sends in Base64.
 */
export const requestMaxBytes = ({ typeName }: DescService): number =>
  (requestMaxMebibytes[typeName] ?? 1) * 1024 * 1024;

const requestMaxMebibytes: Readonly<Record<string, number>> = {
  'orders.v1.OrderService': 7,
  'orders.v1.OrderCommandService': 7,
};
