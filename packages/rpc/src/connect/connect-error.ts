import type { ServerResponse } from 'node:http';
import { ConnectError } from '@connectrpc/connect';
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
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

/**
 * Responds to a unary call with an error of the Connect protocol, without reading the call's body.
 */
export const rejectUnread = (response: ServerResponse, thrown: unknown): void => {
  const error = toConnectError(thrown);
  response
    .writeHead(codeToHttpStatus(error.code), { 'Content-Type': contentTypeUnaryJson })
    .end(errorToJsonBytes(error, undefined));
};
