import type { PartnerRequest } from '../route.ts';
import { endpointPath } from '../schemas/webhook-schemas.ts';

/** Deadline of a handshake or a test request: up to 10 s (decisions 35, 39) and the response. */
export const receiverDeadlineMs = 14_000;

/** What the rows of one endpoint have in common. */
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
