import { ConnectError } from '@connectrpc/connect';
import { kinds, rpcCodes, toFailure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { toFailureMessage } from '../failure-message.ts';

/**
 * Converts any thrown value to a Failure, and the Failure to an error of the Connect protocol with
 * the Failure's public part as a detail.
 */
export const toConnectError = (thrown: unknown): ConnectError => {
  const failure = toFailure(thrown);
  return new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
    { desc: FailureSchema, value: toFailureMessage(failure) },
  ]);
};
