import { Histogram, inSpan, type Telemetry, withRequestId } from '@pto/telemetry';
import type { RequestHandler, Response } from 'express';
import { requestIdOf } from './request-id.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The abort reason of all requests. A new error for each request would cost a stack trace. */
const isOver = new Error('the response was sent or the connection was closed');
const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Observes every request: sets the request id, opens a server span, measures the duration by route
 * and writes one log line. The line names the route, never the path, the query or the body.
 */
export const observe = (telemetry: Telemetry): RequestHandler => {
  const seconds = new Histogram({
    name: 'http_server_seconds',
    help: 'Requests answered, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [telemetry.metrics],
  });
  return (request, response, next) => {
    const begun = Date.now();
    // each layer adds a `close` listener, a stream several: Node's default of 10 would log a
    // warning
    response.setMaxListeners(20);
    const closed = new AbortController();
    response.locals.exchange = {
      begun,
      closed: closed.signal,
      route: 'unmatched',
      receivedBytes: 0,
      sentBytes: 0,
    };
    const id = requestIdOf(request.headers['x-request-id']);
    response.setHeader('X-Request-Id', id);
    const given = request.headers.traceparent;
    const traceparent =
      typeof given === 'string' && traceparentForm.test(given) ? given : undefined;
    const span = { kind: 'server', traceparent } as const;
    withRequestId(id, () =>
      inSpan(`HTTP ${methodLabel(request.method)}`, span, async (span) => {
        const end = ended(response);
        next();
        const sent = await end;
        closed.abort(isOver);
        const { route, credentials, deniedKey } = response.locals.exchange;
        const method = methodLabel(request.method);
        const ms = Date.now() - begun;
        // 499: the partner disconnected before the response
        const status = sent ? response.statusCode : 499;
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        seconds.observe({ method, route, status }, ms / 1000);
        const key = credentials ?? deniedKey;
        const who = key && { keyId: key.keyId, organizationId: key.organization.id };
        telemetry.log.info({ method, route, status, ms, ...who }, 'request');
      }),
    );
  };
};

/** Returns the method for logs, metrics and traces, or `other`: a bounded set of labels. */
const methodLabel = (method: string): string => (methods.has(method) ? method : 'other');

/** Resolves when the response is sent (true) or the connection is closed (false). */
const ended = (response: Response): Promise<boolean> =>
  new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished));
  });
