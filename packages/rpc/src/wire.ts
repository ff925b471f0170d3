/** What both wires have in common: the names of RPCs and headers, and the message of a Failure. */
import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Failure, isFailureKind } from '@pto/errors';
import { type Failure as FailureMessage, FailureSchema } from '@pto/proto/rpc/v1/failure';

/** Full name of an RPC, e.g. `orders.v1.OrderService/GetOrder`. */
export const rpcName = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

export const requestIdHeader = 'x-request-id';
/** Header with the name of the operator for whom the operators service calls, percent-encoded. */
export const operatorHeader = 'x-operator';

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

export const failureToBytes = (failure: Failure): Uint8Array =>
  toBinary(FailureSchema, toFailureMessage(failure));

export const failureFromBytes = (bytes: Uint8Array): Failure =>
  fromFailureMessage(fromBinary(FailureSchema, bytes));
