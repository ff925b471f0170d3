import type { IncomingMessage } from 'node:http';
import { type Client, clientAddress } from '@pto/access';
import { openDatabase } from '@pto/database';
import { limitConnections, type Service, startHttpServer, untilHeld } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import express from 'express';
import { createAdmission } from './admission/admission.ts';
import { createBudgets, keyBudgets } from './admission/budgets.ts';
import { partnerConnections } from './admission/connections.ts';
import { createKeyLookup, onCredentialsChanged } from './admission/key-lookup.ts';
import { startLastUsed } from './admission/last-used.ts';
import { requireKey } from './admission/require-key.ts';
import { openRedis } from './admission/shared-window.ts';
import { createWaits } from './admission/waits.ts';
import { openBackends } from './backends.ts';
import { openPdfRenderer } from './certificates/pdf-renderer.ts';
import { type GatewaySettings, gatewayTimings, type Timings } from './config.ts';
import { openLargeBodies } from './http/large-bodies.ts';
import { observer } from './http/observer.ts';
import { createResponder } from './http/respond.ts';
import { readRequests } from './request-log/read-requests.ts';
import { startRequestLog } from './request-log/request-log.ts';
import { circlesOf } from './routes/find-circle.ts';
import { requestNames } from './routes/request-names.ts';
import { isBelow, routerOf } from './routes/router.ts';
import { basePath, routeTable } from './routes/table.ts';
import { openConnectivity } from './site/connectivity/connectivity.ts';
import { connectivityFills } from './site/connectivity/connectivity-page.ts';
import { publicRoutes, servePublic } from './site/serve-public.ts';
import { openSite } from './site/site.ts';
import { openStatus } from './site/status/status.ts';
import { statusFills } from './site/status/status-page.ts';

/** Starts the partners' gateway from its settings. */
export const startGateway = async (
  settings: GatewaySettings,
  telemetry: Telemetry,
  timings: Timings = gatewayTimings,
): Promise<Service & { httpPort: number }> => {
  const { environment } = settings;
  const backends = openBackends(settings, telemetry);
  const connectivity = openConnectivity(settings, backends, telemetry.log);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const redis = settings.redisUrl ? openRedis(settings.redisUrl) : null;
  const budgets = createBudgets({ redis, replicas: settings.replicas, telemetry });
  const credentials = createKeyLookup(db);
  const changes = onCredentialsChanged(redis, credentials.forget, telemetry);
  const lastUsed = startLastUsed(db, telemetry);

  let draining = false;
  const ofKeys = keyBudgets(budgets, {
    reads: settings.readsPerMinute,
    writes: settings.writesPerMinute,
    rejected: settings.rejectedPerMinute,
  });
  const responder = createResponder({
    ...settings,
    budgets: ofKeys,
    telemetry,
    timings,
    draining: () => draining,
  });
  const clientOf = ({ socket, headers }: IncomingMessage): Client => [
    socket.remoteAddress,
    headers['x-forwarded-for']?.toString(),
    settings.trustedProxies,
  ];
  const { publicBaseUrl } = settings;
  const verifyUrl = publicBaseUrl ? new URL('/verify', publicBaseUrl).href : '/verify';
  const pdfs = openPdfRenderer();
  const largeBodies = openLargeBodies();
  const table = routeTable(backends, environment, {
    verifyUrl,
    publicBaseUrl: publicBaseUrl || basePath,
    pdfs,
    readRequests: readRequests(db),
    findCircle: circlesOf(redis),
  });
  const requestLog = startRequestLog(db, basePath, requestNames(table), telemetry);
  const status = openStatus(settings, { ...backends, ping: () => db.ping('reads') });
  const installation = { ...settings, baseUrl: settings.publicBaseUrl };
  const servePages = servePublic(
    publicRoutes(table, installation, backends, { connectivity, status }),
    {
      site: openSite(settings.siteDir, telemetry.log, {
        ...connectivityFills(connectivity),
        ...statusFills(status),
      }),
      respond: responder.respond,
      budgets,
      perMinute: settings.openPerMinute,
      addressOf: (request) => clientAddress(...clientOf(request)),
    },
  );
  const admission = createAdmission(settings.requestsInFlight, telemetry);
  const waits = createWaits(admission, telemetry);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags cost a quarter of the throughput; API responses are not cached
  app.set('query parser', false); // the routes' schemas parse the query string
  app.use(observer(telemetry, requestLog.record));
  app.use((request, response, next) =>
    isBelow(basePath, request.path) ? next() : servePages(request, response, next),
  );
  app.use(
    requireKey({
      environment,
      find: credentials.find,
      used: lastUsed.used,
      clientOf,
      budgets,
      failedPerMinute: settings.failedAuthPerMinute,
    }),
  );
  app.use(
    routerOf(table, basePath, {
      budgets: ofKeys,
      admission,
      waits,
      largeBodies,
      responder,
      timings,
    }),
  );
  app.use(responder.handleError);
  const http = await startHttpServer(app, {
    ...settings,
    port: settings.httpPort,
    timings,
    limit: limitConnections('gateway', partnerConnections(settings), telemetry),
  });
  return {
    httpPort: http.port,
    // Redis and the backends are not checked, and the database is checked only until its first
    // success. Without Redis the replica limits in memory. Without a backend or the database the
    // replica responds 503 with the contract's envelope and counts the response: an ingress could
    // do neither.
    checks: { database: untilHeld(() => db.ping('reads')), clock: db.checkClock },
    stop: async () => {
      draining = true;
      waits.stop();
      await http.stop();
      await Promise.all([lastUsed.stop(), requestLog.stop()]);
      await Promise.all([pdfs.stop(), largeBodies.stop()]);
      backends.close();
      changes.stop();
      redis?.disconnect();
      await db.close();
    },
  };
};
