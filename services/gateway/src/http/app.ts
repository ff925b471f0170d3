import type { RequestListener } from 'node:http';
import type { Telemetry } from '@pto/telemetry';
import express, { type RequestHandler, type Router } from 'express';
import type { Conclusion } from './conclude.ts';
import { exactPath } from './exact-path.ts';
import { observe } from './observe.ts';

/** A request's way through the gateway: seen, shown what needs no key, let in, routed, refused. */
export const createApp = (options: {
  telemetry: Telemetry;
  doors: RequestHandler;
  browserPages: RequestHandler;
  requireKey: RequestHandler;
  /** Of what one organization uses at once, in the order of the checks. */
  limits: readonly RequestHandler[];
  router: Router;
  conclusion: Conclusion;
}): RequestListener => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // costs a quarter of the throughput, and nothing here may be cached
  app.set('query parser', false); // the routes' schemas read the query themselves
  app.use(observe(options.telemetry));
  app.use(options.doors);
  app.use(options.browserPages);
  app.use(options.requireKey);
  for (const limit of options.limits) app.use(limit);
  app.use(exactPath);
  app.use(options.router);
  app.use(options.conclusion.refuse);
  return app;
};
