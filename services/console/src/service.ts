import { BlockList, type Socket } from 'node:net';
import { clientAddress } from '@pto/access/client-address';
import { equalShares, limitConnections, type Service, startHttpServer } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import express, { type ErrorRequestHandler } from 'express';
import { fail } from './browser/fail.ts';
import { driverHeaders, securityHeaders } from './browser/headers.ts';
import { pendingCookie } from './browser/pending-cookie.ts';
import { requireSameOrigin } from './browser/same-origin.ts';
import { driverSession, operatorSession } from './browser/session-cookie.ts';
import { type ConsoleSettings, checkOpenId, checkPortal } from './config.ts';
import { driverSessions } from './driver/sessions.ts';
import { openFiles } from './files.ts';
import { findOperatorSession, findPortalSession } from './map/find-session.ts';
import { openMaps } from './map/map-route.ts';
import { observe } from './observe.ts';
import { forwardCalls } from './operators/forward.ts';
import { linkedSessions } from './operators/linked-sessions.ts';
import { openId } from './operators/openid.ts';
import { openOperators } from './operators/operators.ts';
import { signInAndOut } from './operators/sign-in.ts';
import { forwardRequests } from './portal/forward.ts';
import { openGateway } from './portal/gateway.ts';
import { orderLinkPages } from './portal/order-links.ts';
import { portalSessions } from './portal/sessions.ts';

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

/** A proxy is one address: it reports the browsers' only in requests. */
const addressOf = ({ remoteAddress }: Socket): string =>
  clientAddress(remoteAddress, undefined, new BlockList());

/**
 * Starts the service: the web application, sign-in, and operators' calls in their own names; on the
 * portal's host the partners' application, and their requests with the keys of their sessions, and the
 * drivers'.
 */
export const startConsole = async (
  settings: ConsoleSettings,
  telemetry: Telemetry,
): Promise<Service & { httpPort: number }> => {
  checkPortal(settings);
  checkOpenId(settings);
  const files = openFiles(settings.folder);
  const operators = openOperators(settings);
  const maps = openMaps();
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
      forwardCalls(operators, operatorSession),
      maps.routeFor(findOperatorSession(operators)),
      files.serve('/index.html'),
    );
  const forPartners = express
    .Router()
    .use('/o', orderLinkPages(gateway, files.serve('/link.html')))
    .use(
      '/driver',
      driverHeaders,
      linkedSessions(operators, driverSessions),
      forwardCalls(operators, driverSession),
      files.serve('/driver.html'),
    )
    .use(
      linkedSessions(operators, portalSessions),
      forwardRequests(gateway),
      maps.routeFor(findPortalSession(operators)),
      files.serve('/portal.html'),
    );
  const portalHost = URL.parse(settings.portalUrl)?.host ?? null;
  const app = express()
    .disable('x-powered-by')
    .set('etag', false)
    .use(observe(telemetry), securityHeaders, requireSameOrigin)
    .use((request, response, next) =>
      (request.headers.host === portalHost ? forPartners : forOperators)(request, response, next),
    )
    .use(unavailable(telemetry));
  const http = await startHttpServer(app, {
    ...settings,
    port: settings.httpPort,
    limit: limitConnections('console', equalShares(settings.connectionsMax, addressOf), telemetry),
  });
  return {
    httpPort: http.port,
    checks: {},
    stop: async () => {
      await http.stop();
      await Promise.all([operators.close(), gateway.close(), maps.stop()]);
    },
  };
};
