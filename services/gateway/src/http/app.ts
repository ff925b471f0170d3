import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Responder } from './sending/responder.ts';

/**
 * Creates the Express app. The handlers run in this order: observation, public routes, pages for
 * browsers, key, limits of the organization, router, errors.
 */
export const createApp = (options: {
  observe: RequestHandler;
  publicRoutes: RequestHandler;
  browserPages: RequestHandler;
  requireKey: RequestHandler;
  /** Handlers that limit one organization, in the order in which they run. */
  limits: readonly RequestHandler[];
  router: RequestHandler;
  responder: Responder;
}): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags cost a quarter of the throughput; API responses are not cached
  app.set('query parser', false); // the routes' schemas parse the query string
  app.use(options.observe);
  app.use(options.publicRoutes);
  app.use(options.browserPages);
  app.use(options.requireKey);
  for (const limit of options.limits) app.use(limit);
  app.use(options.router);
  app.use(options.responder.handleError);
  return app;
};
