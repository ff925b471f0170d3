import { uuidv7 } from '@pto/database';
import type { Failure } from '@pto/errors';
import type { Credentials } from './key-lookup.ts';

/** The abort reason of all requests. A new error for each request would cost a stack trace. */
const isOver = new Error('the response was sent or the connection was closed');

/** A request's state, which the checks fill in. */
export class RequestContext {
  /**
   * Id of the request, with the time of its arrival: in the log of requests, and in the response
   * unless the client chose another one.
   */
  readonly id = uuidv7();
  /** When the request arrived, as a time of `performance.now()`. */
  readonly begun = performance.now();
  /** Path of the matched route, for logs and metrics; never the path in the request. */
  route = 'unmatched';
  /** Name of the matched operation. */
  operation: string | undefined = undefined;
  /** The error in the response. */
  failure: Failure | undefined = undefined;
  /** Whether a budget of the key has granted the request, also as a rejected one. */
  isWithinBudget = false;
  /** Whether the route supports the request's method; a label of a metric only in that case. */
  isMethodSupported = false;
  /** Credentials of the key; set when the key is verified. */
  credentials: Credentials | undefined = undefined;
  /**
   * Credentials of a valid key that may not be used from the client's address; only for the log.
   */
  deniedKey: Credentials | undefined = undefined;
  /**
   * Checks the key again and replaces `credentials`; set when the key is verified first.
   * @throws Failure as the first check.
   */
  checkKey: (() => Promise<void>) | undefined = undefined;
  /** Time in ms that the request waited for events, outside of its slot. */
  waitedMs = 0;
  /** Settles when the handler has ended, also if the partner disconnected before. */
  work: Promise<unknown> | undefined = undefined;
  readonly #closing = new AbortController();
  #releaseSlot: (() => void) | undefined = undefined;
  #releaseMemory: (() => void) | undefined = undefined;

  /** Aborted when the response is sent or the connection is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Holds a slot until the response is closed and the handler has ended, or `releaseSlot` is called.
   * @param release releases the slot; later calls of it do nothing.
   */
  holdSlot(release: () => void): void {
    this.#releaseSlot = release;
    if (this.closed.aborted) this.#releaseAfterWork();
  }

  releaseSlot(): void {
    this.#releaseSlot?.();
  }

  /** Holds the bytes of the request's body as `holdSlot` does. */
  holdMemory(release: () => void): void {
    this.#releaseMemory = release;
    if (this.closed.aborted) this.#releaseAfterWork();
  }

  /** Releases what the request holds, for a response that needs no more work. */
  release(): void {
    this.releaseSlot();
    this.#releaseMemory?.();
  }

  /** Reports that the response is sent or the connection is closed. */
  close(): void {
    this.#closing.abort(isOver);
    this.#releaseAfterWork();
  }

  #releaseAfterWork(): void {
    const release = () => this.release();
    void Promise.resolve(this.work).then(release, release);
  }
}

declare global {
  // Express's types declare `response.locals` with this name
  namespace Express {
    interface Locals {
      context: RequestContext;
    }
  }
}
