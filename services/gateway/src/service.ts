import type { IncomingMessage } from 'node:http';
import { clientAddress, isClientIn } from '@pto/access';
import { openDatabase } from '@pto/database';
import { type Service, untilHeld } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import express from 'express';
import type { Credentials } from './authentication/credentials.ts';
import { createKeyLookup, onCredentialsChanged } from './authentication/key-lookup.ts';
import { startLastUsed } from './authentication/last-used.ts';
import { openBackends } from './backends.ts';
import type { GatewaySettings } from './config.ts';
import { observer } from './http/observe.ts';
import { createOrganizationSlots } from './http/organization-slots.ts';
import { servePublicRoutes } from './http/public-routes.ts';
import { requireKey } from './http/require-key.ts';
import { createResponder } from './http/responder.ts';
import { startHttpServer } from './http/server/server.ts';
import { createBudgets } from './limits/budget.ts';
import { keyBudgets, publicBudget } from './limits/key-budgets.ts';
import { openRedis } from './limits/redis.ts';
import { pathFinder } from './routes/paths.ts';
import { routerOf } from './routes/serve-route.ts';
import { basePath, isApi, routeTable } from './routes/table.ts';
import { browserPages } from './site/browser-pages.ts';
import { publicRoutes } from './site/public-routes.ts';
import { openSite } from './site/site.ts';
import { gatewayTimings, type Timings } from './timings.ts';

/** Starts the partners' gateway from its settings. */
export const startGateway = async (
  settings: GatewaySettings,
  telemetry: Telemetry,
  timings: Timings = gatewayTimings,
): Promise<Service & { httpPort: number }> => {
  const { environment } = settings;
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const redis = settings.redisUrl ? openRedis(settings.redisUrl, telemetry) : null;
  const { replicas } = settings;
  const budgets = createBudgets({ redis, replicas, keyPrefix: 'gateway', telemetry });
  const credentials = createKeyLookup(db);
  const changes = onCredentialsChanged(redis, credentials.forget, telemetry);
  const lastUsed = startLastUsed(db, telemetry);
  const { used } = lastUsed;
  const backends = openBackends(settings);

  let draining = false;
  const ofKeys = keyBudgets(budgets, {
    reads: settings.readsPerMinute,
    writes: settings.writesPerMinute,
    rejected: settings.rejectedPerMinute,
  });
  const { sendTimeoutMs, rejectionHoldMs } = settings;
  const responder = createResponder({
    budgets: ofKeys,
    telemetry,
    sendTimeoutMs,
    rejectionHoldMs,
    draining: () => draining,
  });
  const clientOf = ({ socket, headers }: IncomingMessage) =>
    [
      socket.remoteAddress,
      headers['x-forwarded-for']?.toString(),
      settings.trustedProxies,
    ] as const;
  const addressOf = (request: IncomingMessage) => clientAddress(...clientOf(request));
  const isAllowed = ({ allowedFrom }: Credentials, request: IncomingMessage) =>
    allowedFrom === null || isClientIn(allowedFrom, ...clientOf(request));
  const table = routeTable(backends, environment);
  const spend = publicBudget(budgets, settings.openPerMinute, addressOf);
  const withoutKey = { responder, spend };
  const site = openSite(settings.siteDir, telemetry.log);
  const slots = createOrganizationSlots({ inFlightMax: settings.requestsInFlight, telemetry });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags cost a quarter of the throughput; API responses are not cached
  app.set('query parser', false); // the routes' schemas parse the query string
  app.use(observer(telemetry));
  const pages = publicRoutes(table, { ...settings, baseUrl: settings.publicBaseUrl }, backends);
  app.use(servePublicRoutes(pages, { ...withoutKey, site: site.find, isApi }));
  app.use(browserPages({ ...withoutKey, isApi, site }));
  app.use(
    requireKey({
      environment,
      find: credentials.find,
      used,
      addressOf,
      isAllowed,
      budgets,
      failedPerMinute: settings.failedAuthPerMinute,
    }),
  );
  app.use(routerOf(pathFinder(table, basePath), { budgets: ofKeys, slots, responder, timings }));
  app.use(responder.handleError);
  const http = await startHttpServer(app, {
    ...settings,
    port: settings.httpPort,
    timings,
    telemetry,
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
      await http.stop();
      await lastUsed.stop();
      backends.close();
      changes.stop();
      redis?.disconnect();
      await db.close();
    },
  };
};
