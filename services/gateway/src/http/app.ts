import type { RequestListener } from 'node:http';
import type { Telemetry } from '@pto/telemetry';
import express, { type RequestHandler, type Router } from 'express';
import { exactPath } from './exact-path.ts';
import { observe } from './observe.ts';
import type { Responder } from './sending/responder.ts';

/** The handlers of a request, in their order: public routes, key, limits, router, errors. */
export const createApp = (options: {
  telemetry: Telemetry;
  publicRoutes: RequestHandler;
  browserPages: RequestHandler;
  requireKey: RequestHandler;
  /** The limits of one organization, in the order of the checks. */
  limits: readonly RequestHandler[];
  router: Router;
  responder: Responder;
}): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // costs a quarter of the throughput, and nothing here may be cached
  app.set('query parser', false); // the routes' schemas read the query themselves
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
