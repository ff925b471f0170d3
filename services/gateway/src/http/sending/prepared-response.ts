import type { ServerResponse } from 'node:http';
import {
  bytesOf,
  closeUnlessSent,
  headersOf,
  type PartnerResponse,
  type Rendered,
} from './partner-response.ts';

/** A response that is rendered once for many requests. */
export interface PreparedResponse {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The bytes of the body as Latin-1. */
  readonly text: string;
}

export const prepare = (status: number, content: PartnerResponse): PreparedResponse => {
  const bytes = Buffer.from(bytesOf(content.body as Rendered));
  return {
    status,
    headers: [...Object.entries(headersOf(content)).flat(), 'Content-Length', `${bytes.length}`],
    text: bytes.toString('latin1'),
  };
};

/**
 * Sends a prepared response. Node writes headers in one list faster than headers that are set one
 * by one; no header may be set before.
 * @param headers names and values in turns, which come before those of the prepared response.
 */
export const sendPrepared = (
  response: ServerResponse,
  headers: readonly (string | number)[],
  prepared: PreparedResponse,
  timeoutMs: number,
): void => {
  response.writeHead(prepared.status, [...headers, ...prepared.headers]);
  response.end(prepared.text, 'latin1');
  closeUnlessSent(response, timeoutMs);
};
