import type { IncomingMessage } from 'node:http';
import { Histogram, inSpan, newRequestId, type Telemetry, withRequestId } from '@pto/telemetry';
import type { RequestHandler, Response } from 'express';
import { Exchange } from './exchange.ts';

export const requestIdHeader = 'X-Request-Id';

const form = /^[\w.:+/=@-]{1,128}$/;

/** Returns the client's request id if its form is safe for a log line, else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && form.test(header) ? header : newRequestId();

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
    const begun = performance.now();
    // each layer adds a `close` listener, a stream several: Node's default of 10 would log a
    // warning
    response.setMaxListeners(20);
    const exchange = new Exchange(begun);
    response.locals.exchange = exchange;
    const id = requestIdOf(request.headers['x-request-id']);
    response.setHeader(requestIdHeader, id);
    const span = { kind: 'server', traceparent: traceparentOf(request) } as const;
    withRequestId(id, () =>
      inSpan(`HTTP ${methodLabel(request.method)}`, span, async (span) => {
        const end = ended(response);
        next();
        const sent = await end;
        exchange.close();
        const { route, isMethodSupported, credentials, deniedKey } = exchange;
        const method = methodLabel(request.method);
        const ms = Math.round(performance.now() - begun);
        const status = sent ? response.statusCode : 499; // 499: disconnected before the response
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        // clients without a key can send any method to any path, and must not make more series
        const label = isMethodSupported ? method : 'other';
        seconds.observe({ method: label, route, status }, ms / 1000);
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

/** Resolves when the response is sent (true) or the connection is closed (false). */
const ended = (response: Response): Promise<boolean> =>
  new Promise((resolve) => {
    response.on('close', () => resolve(response.writableFinished));
  });
