import { ConnectError } from '@connectrpc/connect';
import { kinds, rpcCodes, toFailure } from '@pto/errors';
import { FailureSchema } from '@pto/proto/rpc/v1/failure';
import { toFailureMessage } from '../failure-message.ts';

/** A thrown thing as an error of the Connect protocol, with a Failure's public half as a detail. */
export const toConnectError = (thrown: unknown): ConnectError => {
  const failure = toFailure(thrown);
  return new ConnectError(failure.message, rpcCodes[kinds[failure.kind].rpc], undefined, [
    { desc: FailureSchema, value: toFailureMessage(failure) },
  ]);
};
