import type { Backends } from '../backends.ts';
import { certificateRoutes } from './certificate.ts';
import { custodyRoutes } from './custody.ts';
import { deliveryRoutes } from './deliveries.ts';
import { eventRoutes } from './events.ts';
import { evidenceRoutes } from './evidence.ts';
import { exportRoutes } from './exports.ts';
import { locationRoutes } from './locations.ts';
import { orderRoutes } from './orders.ts';
import { pingRoutes } from './ping.ts';
import type { Route } from './route.ts';
import { webhookRoutes } from './webhooks.ts';

/** Prefix of every path in the table (contract 9). */
export const basePath = '/api/partner/v1';

/**
 * Returns a row for each operation: those of contract 4, and the additions to it. Each resource has
 * a file here with its rows: method, path, scope, schemas, statuses, handler.
 * @param verifyUrl URL of the page /verify, for certificates.
 * @param publicBaseUrl URL of the API with its path, for links in events.
 */
export const routeTable = (
  backends: Backends,
  environment: string,
  verifyUrl = '/verify',
  publicBaseUrl = basePath,
): readonly Route[] => [
  ...pingRoutes(environment),
  ...orderRoutes(backends),
  ...evidenceRoutes(backends),
  ...custodyRoutes(backends),
  ...certificateRoutes(backends, verifyUrl),
  ...exportRoutes(backends),
  ...eventRoutes(backends, publicBaseUrl),
  ...locationRoutes(backends),
  ...webhookRoutes(backends),
  ...deliveryRoutes(backends),
];
