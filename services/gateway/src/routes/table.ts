import type { Backends } from '../backends.ts';
import type { PdfRenderer } from '../certificates/pdf-renderer.ts';
import type { ReadRequests } from '../request-log/read-requests.ts';
import { certificateRoutes } from './certificate.ts';
import { custodyRoutes } from './custody.ts';
import { deliveryRoutes } from './deliveries.ts';
import { eventRoutes } from './events.ts';
import { evidenceRoutes } from './evidence.ts';
import { exportRoutes } from './exports.ts';
import type { FindCircle } from './find-circle.ts';
import { keyRoutes } from './keys.ts';
import { locationRoutes } from './locations.ts';
import { orderLinkRoutes } from './order-links.ts';
import { orderRoutes } from './orders.ts';
import { pingRoutes } from './ping.ts';
import { portalRoutes } from './portal.ts';
import { rehearsalRoutes } from './rehearsals.ts';
import { requestRoutes } from './requests.ts';
import type { Route } from './route.ts';
import { sandboxRoutes } from './sandbox.ts';
import { webhookRoutes } from './webhooks.ts';

/** Prefix of every path in the table (contract 9). */
export const basePath = '/api/partner/v1';

export interface RouteOptions {
  /** URL of the page /verify, for certificates. */
  readonly verifyUrl: string;
  /** URL of the API with its path, for links in events. */
  readonly publicBaseUrl: string;
  /** Absent where no request is served, as for the OpenAPI document. */
  readonly pdfs?: Pick<PdfRenderer, 'render'>;
  /** Absent as `pdfs`. */
  readonly readRequests?: ReadRequests;
  readonly findCircle?: FindCircle;
}

const noRenderer: Pick<PdfRenderer, 'render'> = {
  render: () => Promise.reject(new Error('this table serves no requests')),
};

/**
 * Returns a row for each operation: those of contract 4, and the additions to it. Each resource has
 * a file here with its rows: method, path, scope, schemas, statuses, handler.
 */
export const routeTable = (
  backends: Backends,
  environment: string,
  { verifyUrl, publicBaseUrl, pdfs, readRequests, findCircle = async () => null }: RouteOptions = {
    verifyUrl: '/verify',
    publicBaseUrl: basePath,
  },
): readonly Route[] => {
  const isSandbox = environment === 'sandbox';
  const certificates = { verifyUrl, pdfs: pdfs ?? noRenderer };
  return [
    ...pingRoutes(environment),
    ...orderRoutes(backends, isSandbox),
    ...evidenceRoutes(backends),
    ...custodyRoutes(backends),
    ...certificateRoutes(backends, certificates),
    ...exportRoutes(backends),
    ...eventRoutes(backends, publicBaseUrl, environment),
    ...locationRoutes(backends),
    ...webhookRoutes(backends, isSandbox),
    ...deliveryRoutes(backends),
    ...keyRoutes(backends),
    ...portalRoutes(backends),
    ...orderLinkRoutes(backends, certificates, findCircle),
    ...requestRoutes(readRequests),
    ...(isSandbox ? [...sandboxRoutes(backends), ...rehearsalRoutes(backends)] : []),
  ];
};
