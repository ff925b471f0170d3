import type { Credentials } from '../authentication/credentials.ts';

/** The abort reason of all requests. A new error for each request would cost a stack trace. */
const isOver = new Error('the response was sent or the connection was closed');

/** A request's state, which the checks fill in. */
export class Exchange {
  /** When the request arrived, as a time of `performance.now()`. */
  readonly begun: number;
  /** Path of the matched route, for logs and metrics; never the path in the request. */
  route = 'unmatched';
  /** Whether the route supports the request's method; a label of a metric only in that case. */
  isMethodSupported = false;
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
  #releaseSlot: (() => void) | undefined = undefined;

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

  /**
   * Holds a slot until the response is closed and the handler has ended, or `releaseSlot` is called.
   * @param release releases the slot; later calls of it do nothing.
   */
  holdSlot(release: () => void): void {
    this.#releaseSlot = release;
    if (this.isClosed) this.#releaseAfterWork();
  }

  releaseSlot(): void {
    this.#releaseSlot?.();
  }

  /** Reports that the response is sent or the connection is closed. */
  close(): void {
    this.isClosed = true;
    this.#closing?.abort(isOver);
    this.#releaseAfterWork();
  }

  #releaseAfterWork(): void {
    if (!this.#releaseSlot) return;
    const release = () => this.releaseSlot();
    void Promise.resolve(this.work).then(release, release);
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
