import type { Backends } from '../backends.ts';
import { type Installation, openapiDocument } from '../openapi/document.ts';
import type { Route } from '../routes/route.ts';
import { logRoutes } from './log-routes.ts';
import type { PublicResource, PublicRoute } from './representation.ts';
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
  // browsers request the icon without a link to it
  fixedRoute('/favicon.ico', { contentType: 'image/svg+xml', bytes: Buffer.from(icon) }),
  ...verifyFiles().map(([path, shown]) => fixedRoute(path, shown)),
  verifyRoute(backends),
  ...logRoutes(backends),
];

/** Returns a route whose bytes do not change while this process runs. All of them share one name. */
const fixedRoute = (path: string, shown: PublicResource): PublicRoute => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  name: 'page',
  read: () => shown,
});

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b57a4"/><path d="M7 16a5 5 0 0 1 5-5h3v3h-3a2 2 0 0 0 0 4h3v3h-3a5 5 0 0 1-5-5zm18 0a5 5 0 0 1-5 5h-3v-3h3a2 2 0 0 0 0-4h-3v-3h3a5 5 0 0 1 5 5z" fill="#fff"/></svg>
`;
