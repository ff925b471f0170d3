import { fromBinary } from '@bufbuild/protobuf';
import { type ServiceError, status } from '@grpc/grpc-js';
import { Failure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { failureHeader, fromFailureMessage } from '../wire.ts';

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
