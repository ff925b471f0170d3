import type { ServerResponse } from 'node:http';
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  errorToJsonBytes,
} from '@connectrpc/connect/protocol-connect';
import { toConnectError } from './connect-error.ts';

/**
 * Responds to a unary call with an error of the Connect protocol, without reading the call's body.
 */
export const rejectUnread = (response: ServerResponse, thrown: unknown): void => {
  const error = toConnectError(thrown);
  response
    .writeHead(codeToHttpStatus(error.code), { 'Content-Type': contentTypeUnaryJson })
    .end(errorToJsonBytes(error, undefined));
};
