import type { Backends } from '../backends.ts';
import { fixedRoute, type PublicRoute } from '../http/public-routes.ts';
import { type Installation, openapiDocument } from '../openapi/document.ts';
import type { Route } from '../routes/route.ts';
import { errorPage } from './error-page.ts';
import { icon } from './icon.ts';
import { logRoutes } from './log-routes.ts';
import { referencePage } from './reference-page.ts';
import { verifyFiles, verifyRoute } from './verify-page.ts';

/**
 * Returns all routes that need no key, besides those of the documentation site (site.ts). Their
 * paths begin at the gateway's root, outside of the API's base path.
 */
export const publicRoutes = (
  table: readonly Route[],
  installation: Installation,
  backends: Pick<Backends, 'log'>,
): readonly PublicRoute[] => [
  fixedRoute('/openapi.json', {
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(openapiDocument(table, installation))),
  }),
  fixedRoute('/docs/errors', errorPage()),
  fixedRoute('/favicon.ico', icon()),
  ...[...referencePage(), ...verifyFiles()].map(([path, shown]) => fixedRoute(path, shown)),
  verifyRoute(backends),
  ...logRoutes(backends),
];
