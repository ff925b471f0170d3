import type { PartnerRequest } from '../route.ts';
import { endpointPath } from '../schemas/webhook-schemas.ts';

/**
 * Lane and deadline in ms of a route that sends a handshake or a test request. The receiver has up
 * to 10 s (decisions 35, 39); the rest is for the response to the partner.
 */
export const waitsForReceiver = { lane: 'receiver', deadlineMs: 14_000 } as const;

/** Path, scope and schemas that the rows for one endpoint have in common. */
export const oneEndpoint = {
  path: '/webhooks/:endpoint_id',
  scope: 'webhooks:manage',
  schemas: { path: endpointPath },
} as const;

/** Returns the endpoint that a request names, and its organization. */
export const target = ({
  credentials,
  path,
}: Pick<
  PartnerRequest<{ endpoint_id: string }, unknown, unknown, unknown>,
  'credentials' | 'path'
>) => ({
  organizationId: credentials.organization.id,
  id: path.endpoint_id,
});
