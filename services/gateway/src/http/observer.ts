import type { IncomingMessage } from 'node:http';
import { disconnectedStatus, type LoggedMethod, loggedMethods } from '@pto/access';
import { Histogram, inSpan, type Telemetry, withRequestId } from '@pto/telemetry';
import type { RequestHandler } from 'express';
import { RequestContext } from '../admission/request-context.ts';

/** A request after its response was sent or its connection was closed. */
export interface EndedRequest {
  readonly context: RequestContext;
  readonly method: LoggedMethod;
  /** Path as it was sent, without the query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
}

/** Form of a client's request id that is safe for a log line. */
const requestIdForm = /^[\w.:+/=@-]{1,128}$/;
const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Observes every request: sets the request id, opens a server span, measures the duration by route
 * and writes a log line. The line names the route, never the path, the query or the body.
 * @param ended called after each request.
 */
export const observer = (
  telemetry: Telemetry,
  ended: (request: EndedRequest) => void,
): RequestHandler => {
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
    const context = new RequestContext();
    response.locals.context = context;
    const given = request.headers['x-request-id']?.toString() ?? '';
    const id = requestIdForm.test(given) ? given : context.id;
    response.setHeader('X-Request-Id', id);
    const span = { kind: 'server', traceparent: traceparentOf(request) } as const;
    withRequestId(id, () =>
      inSpan(`HTTP ${methodLabel(request.method)}`, span, async (span) => {
        const closed = new Promise((resolve) => response.on('close', resolve));
        next();
        await closed;
        context.close();
        const { begun, route, isMethodSupported, credentials, deniedKey, waitedMs } = context;
        const method = methodLabel(request.method);
        const ms = Math.round(performance.now() - begun);
        const status = response.writableFinished ? response.statusCode : disconnectedStatus;
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        // clients without a key can send any method to any path, and must not make more series
        const label = isMethodSupported ? method : 'other';
        // a wait for events is no delay
        seconds.observe({ method: label, route, status }, Math.max(0, ms - waitedMs) / 1000);
        const key = credentials ?? deniedKey;
        const ids = key && { keyId: key.keyId, organizationId: key.organization.id };
        telemetry.log.info({ method, route, status, ms, ...ids }, 'request');
        const { path } = request;
        ended({ context, method, path, status, durationMs: ms, requestId: id });
      }),
    );
  };
};

const traceparentOf = ({ headers: { traceparent } }: IncomingMessage): string | undefined =>
  typeof traceparent === 'string' && traceparentForm.test(traceparent) ? traceparent : undefined;

/** Returns the method for logs, metrics and traces, or `other`: a bounded set of labels. */
const methodLabel = (method: string): LoggedMethod =>
  loggedMethods.find((known) => known === method) ?? 'other';
