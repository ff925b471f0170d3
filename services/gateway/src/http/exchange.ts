import type { Credentials } from '../authentication/credentials.ts';

/** The abort reason of all requests. A new error for each request would cost a stack trace. */
const isOver = new Error('the response was sent or the connection was closed');

/** A request's state, which the checks fill in. */
export class Exchange {
  /** Time of the request's arrival in milliseconds since the epoch. */
  readonly begun: number;
  /** Path of the matched route, for logs and metrics; never the path in the request. */
  route = 'unmatched';
  /** Bytes of the request's body that were read. */
  receivedBytes = 0;
  /** Bytes of the response's body. */
  sentBytes = 0;
  /** Credentials of the key; set when the key is verified. */
  credentials: Credentials | undefined = undefined;
  /**
   * Credentials of a valid key that may not be used from the client's address; only for the log.
   */
  deniedKey: Credentials | undefined = undefined;
  /** Settles when the handler has ended, also if the partner disconnected before. */
  work: Promise<unknown> | undefined = undefined;
  /** Whether the response is sent or the connection is closed. */
  isClosed = false;
  #closing: AbortController | undefined = undefined;
  readonly #tasks: (() => void)[] = [];

  constructor(begun: number) {
    this.begun = begun;
  }

  /**
   * Aborted when the response is sent or the connection is closed. Made at its first use: most
   * requests wait for nothing that could be cancelled, and an abort costs more than a check.
   */
  get closed(): AbortSignal {
    this.#closing ??= new AbortController();
    if (this.isClosed) this.#closing.abort(isOver);
    return this.#closing.signal;
  }

  /** Calls `task` one time, as soon as the response is closed and the handler has ended. */
  afterwards(task: () => void): void {
    if (this.isClosed) this.#afterWork(task);
    else this.#tasks.push(task);
  }

  /** Reports that the response is sent or the connection is closed. */
  close(): void {
    this.isClosed = true;
    this.#closing?.abort(isOver);
    for (const task of this.#tasks) this.#afterWork(task);
  }

  #afterWork(task: () => void): void {
    void Promise.resolve(this.work).then(task, task);
  }
}

declare global {
  // Express's types declare `response.locals` with this name
  namespace Express {
    interface Locals {
      exchange: Exchange;
    }
  }
}
