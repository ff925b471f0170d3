import type { Credentials } from '../authentication/credentials.ts';

/** What the checks find out about a request. */
export interface Exchange {
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** Aborted when the response is sent or the connection is closed. */
  readonly closed: AbortSignal;
  /** The path of the route's row, for log and metrics; never the request's own path. */
  route: string;
  /** Bytes of the request's body that were read. */
  receivedBytes: number;
  /** Bytes of the response's body. */
  sentBytes: number;
  /** Once the key has proven good. */
  credentials?: Credentials;
  /** Of a good key that the client's address may not use; for the log alone. */
  deniedKey?: Credentials;
  /** Settled when the handler has ended, also where the partner has gone before. */
  work?: Promise<unknown>;
}

/** Calls `task` once, when the response is closed and the handler has ended. */
export const afterExchange = (exchange: Exchange, task: () => void): void => {
  const once = () => Promise.resolve(exchange.work).then(task, task);
  if (exchange.closed.aborted) once();
  else exchange.closed.addEventListener('abort', once);
};

declare global {
  // the name that Express's types have for what hangs on `response.locals`
  namespace Express {
    interface Locals {
      exchange: Exchange;
    }
  }
}
