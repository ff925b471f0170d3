import type { IncomingMessage } from 'node:http';
import { Histogram, inSpan, newRequestId, type Telemetry, withRequestId } from '@pto/telemetry';
import type { RequestHandler } from 'express';
import type { Credentials } from '../authentication/key-lookup.ts';

/** The abort reason of all requests. A new error for each request would cost a stack trace. */
const isOver = new Error('the response was sent or the connection was closed');

/** A request's state, which the checks fill in. */
export class Exchange {
  /** When the request arrived, as a time of `performance.now()`. */
  readonly begun = performance.now();
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

  /** Reports that the response is sent or the connection is closed. */
  close(): void {
    this.#closing.abort(isOver);
    this.#releaseAfterWork();
  }

  #releaseAfterWork(): void {
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

/** Form of a client's request id that is safe for a log line. */
const requestIdForm = /^[\w.:+/=@-]{1,128}$/;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Observes every request: sets the request id, opens a server span, measures the duration by route
 * and writes a log line. The line names the route, never the path, the query or the body.
 */
export const observer = (telemetry: Telemetry): RequestHandler => {
  const seconds = new Histogram({
    name: 'http_server_seconds',
    help: 'Duration of requests in seconds, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [telemetry.metrics],
  });

  return (request, response, next) => {
    // each layer adds a `close` listener, a stream several: Node's default of 10 would log a
    // warning
    response.setMaxListeners(20);
    const exchange = new Exchange();
    response.locals.exchange = exchange;
    const given = request.headers['x-request-id']?.toString() ?? '';
    const id = requestIdForm.test(given) ? given : newRequestId();
    response.setHeader('X-Request-Id', id);
    const span = { kind: 'server', traceparent: traceparentOf(request) } as const;
    withRequestId(id, () =>
      inSpan(`HTTP ${methodLabel(request.method)}`, span, async (span) => {
        const closed = new Promise((resolve) => response.on('close', resolve));
        next();
        await closed;
        exchange.close();
        const { begun, route, isMethodSupported, credentials, deniedKey, waitedMs } = exchange;
        const method = methodLabel(request.method);
        const ms = Math.round(performance.now() - begun);
        // 499: disconnected before the response
        const status = response.writableFinished ? response.statusCode : 499;
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        // clients without a key can send any method to any path, and must not make more series
        const label = isMethodSupported ? method : 'other';
        // a wait for events is no delay
        seconds.observe({ method: label, route, status }, Math.max(0, ms - waitedMs) / 1000);
        const key = credentials ?? deniedKey;
        const ids = key && { keyId: key.keyId, organizationId: key.organization.id };
        telemetry.log.info({ method, route, status, ms, ...ids }, 'request');
      }),
    );
  };
};

const traceparentOf = ({ headers: { traceparent } }: IncomingMessage): string | undefined =>
  typeof traceparent === 'string' && traceparentForm.test(traceparent) ? traceparent : undefined;

/** Returns the method for logs, metrics and traces, or `other`: a bounded set of labels. */
const methodLabel = (method: string | undefined): string =>
  method !== undefined && methods.has(method) ? method : 'other';
