import type { Credentials } from '../authentication/credentials.ts';

/** What becomes known of a request on its way through the checks. */
export interface Exchange {
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** Aborted when the response is sent or the connection is closed. */
  readonly closed: AbortSignal;
  /** The path of the route's row, for log and metrics; never the request's own path. */
  route: string;
  /** Once the key has proven good. */
  credentials?: Credentials;
  /** Of a good key that the client's address may not use; for the log alone. */
  deniedKey?: Credentials;
  /** Settled when the handler has ended, also where the partner has gone before. */
  work?: Promise<unknown>;
}

declare global {
  // the name that Express's types have for what hangs on `response.locals`
  namespace Express {
    interface Locals {
      exchange: Exchange;
    }
  }
}
