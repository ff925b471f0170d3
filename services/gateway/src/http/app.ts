import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Responder } from './sending/responder.ts';

/**
 * Creates the Express app. The handlers run in this order: observation, public routes, pages for
 * browsers, key, router, errors.
 */
export const createApp = (options: {
  observe: RequestHandler;
  publicRoutes: RequestHandler;
  browserPages: RequestHandler;
  requireKey: RequestHandler;
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
  app.use(options.router);
  app.use(options.responder.handleError);
  return app;
};
