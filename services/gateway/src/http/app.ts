import type { RequestListener } from 'node:http';
import type { Telemetry } from '@pto/telemetry';
import express, { type RequestHandler, type Router } from 'express';
import { exactPath } from './exact-path.ts';
import { observe } from './observe.ts';
import type { Responder } from './sending/responder.ts';

/**
 * Creates the Express app. The handlers run in this order: observation, public routes, pages for
 * browsers, key, limits of the organization, exact path, router, errors.
 */
export const createApp = (options: {
  telemetry: Telemetry;
  publicRoutes: RequestHandler;
  browserPages: RequestHandler;
  requireKey: RequestHandler;
  /** Handlers that limit one organization, in the order in which they run. */
  limits: readonly RequestHandler[];
  router: Router;
  responder: Responder;
}): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags cost a quarter of the throughput; API responses are not cached
  app.set('query parser', false); // the routes' schemas parse the query string
  app.use(observe(options.telemetry));
  app.use(options.publicRoutes);
  app.use(options.browserPages);
  app.use(options.requireKey);
  for (const limit of options.limits) app.use(limit);
  app.use(exactPath);
  app.use(options.router);
  app.use(options.responder.handleError);
  return app;
};
