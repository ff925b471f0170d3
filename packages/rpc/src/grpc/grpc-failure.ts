import { type ServiceError, status } from '@grpc/grpc-js';
import { Failure } from '@pto/errors';
import { failureFromBytes } from '../failure-message.ts';
import { failureHeader } from '../grpc-definition.ts';

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
