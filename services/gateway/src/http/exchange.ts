import type { Credentials } from '../authentication/credentials.ts';

/** A request's state, which the checks fill in. */
export interface Exchange {
  /** Time of the request's arrival in milliseconds since the epoch. */
  readonly begun: number;
  /** Aborted when the response is sent or the connection is closed. */
  readonly closed: AbortSignal;
  /** Path of the matched route, for logs and metrics; never the path in the request. */
  route: string;
  /** Bytes of the request's body that were read. */
  receivedBytes: number;
  /** Bytes of the response's body. */
  sentBytes: number;
  /** Credentials of the key; set when the key is verified. */
  credentials?: Credentials;
  /**
   * Credentials of a valid key that may not be used from the client's address; only for the log.
   */
  deniedKey?: Credentials;
  /** Settles when the handler has ended, also if the partner disconnected before. */
  work?: Promise<unknown>;
}

/** Calls `task` one time, as soon as the response is closed and the handler has ended. */
export const afterExchange = (exchange: Exchange, task: () => void): void => {
  const once = () => Promise.resolve(exchange.work).then(task, task);
  if (exchange.closed.aborted) once();
  else exchange.closed.addEventListener('abort', once);
};

declare global {
  // Express's types declare `response.locals` with this name
  namespace Express {
    interface Locals {
      exchange: Exchange;
    }
  }
}
