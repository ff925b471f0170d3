import { createServer } from 'node:http';
import { listening, oneRequest, type Service } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import express, { type ErrorRequestHandler } from 'express';
import { fail } from './browser/fail.ts';
import { securityHeaders } from './browser/headers.ts';
import { limitConnections } from './browser/limit-connections.ts';
import { pendingCookie } from './browser/pending-cookie.ts';
import { requireSameOrigin } from './browser/same-origin.ts';
import { type ConsoleSettings, checkOpenId, checkPortal } from './config.ts';
import { openFiles } from './files.ts';
import { mapRoute } from './map/map-route.ts';
import { observe } from './observe.ts';
import { forwardCalls } from './operators/forward.ts';
import { openId } from './operators/openid.ts';
import { openOperators } from './operators/operators.ts';
import { signInAndOut } from './operators/sign-in.ts';
import { forwardRequests } from './portal/forward.ts';
import { openGateway } from './portal/gateway.ts';
import { openAndEnd } from './portal/sessions.ts';

/** The last handler: a body that cannot be read, a service that does not respond, or no reader. */
const unavailable =
  ({ log }: Telemetry): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    // a browser that left is no failure: its log line is that of the request
    if (response.headersSent || response.destroyed) return response.destroy();
    if (error.status >= 400 && error.status < 500)
      return fail(response, error.status, 'invalid_argument', 'This request cannot be read.');
    log.warn({ err: error }, 'request failed');
    fail(response, 503, 'unavailable', 'A service does not respond. Try again.');
  };

const headersTimeoutMs = 5000;
const requestTimeoutMs = 10_000;
/** Node looks every 30 s by default, and idle connections would take all places for so long. */
const checkTimeoutsEveryMs = 500;
/** A connection without traffic for this long is closed, in ms. A call takes at most 30 s. */
const stillMs = 40_000;
/**
 * Time after which an idle connection is closed, in ms: a reverse proxy stops its reuse earlier, so
 * that it sends no command on a connection that is being closed.
 */
const keepAliveMs = 65_000;
const stopTimeoutMs = 3000;

/**
 * Starts the service: the web application, sign-in, and operators' calls in their own names; on the
 * portal's host the partners' application, and their requests with the keys of their sessions.
 */
export const startConsole = async (
  settings: ConsoleSettings,
  telemetry: Telemetry,
): Promise<Service & { httpPort: number }> => {
  checkPortal(settings);
  checkOpenId(settings);
  const files = openFiles(settings.folder);
  const operators = openOperators(settings);
  const map = mapRoute();
  const gateway = openGateway(settings);
  const forOperators = express
    .Router()
    .use(
      signInAndOut(
        operators,
        openId(settings, operators.signIn),
        pendingCookie(settings.openIdKey),
        telemetry,
      ),
      forwardCalls(operators),
      map.handler,
      files.serve('/index.html'),
    );
  const forPartners = express
    .Router()
    .use(openAndEnd(operators), forwardRequests(gateway), map.handler, files.serve('/portal.html'));
  const portalHost = URL.parse(settings.portalUrl)?.host ?? null;
  const app = express()
    .disable('x-powered-by')
    .set('etag', false)
    .use(observe(telemetry), securityHeaders, requireSameOrigin)
    .use((request, response, next) =>
      (request.headers.host === portalHost ? forPartners : forOperators)(request, response, next),
    )
    .use(unavailable(telemetry));
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkTimeoutsEveryMs,
      keepAliveTimeout: keepAliveMs,
    },
    oneRequest(app),
  );
  limitConnections(server, settings.connectionsMax, telemetry);
  server.setTimeout(stillMs);
  return {
    httpPort: await listening(server, settings.httpPort, settings.host),
    checks: {},
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
      await closed;
      clearTimeout(timer);
      await Promise.all([operators.close(), gateway.close(), map.stop()]);
    },
  };
};
