import type { Backends } from '../backends.ts';
import { json, nothing } from '../http/respond.ts';
import { portalLink, portalLinkCreate } from '../resources/portal.ts';
import { throwFaultsInBody } from '../validation/faults-in-body.ts';
import { route } from './route.ts';

/**
 * What the rows have in common. A link has at most the rights of the key that creates it, and its
 * session creates none, so that none outlives it.
 */
const shared = {
  path: '/portal-links',
  scope: null,
  keysOnly: true,
  rejections: ['INSUFFICIENT_SCOPE', 'NOT_FOUND'],
} as const;

/** The operations on links to the portal (decision 69); an addition to contract 4. */
export const portalRoutes = ({ portal, webhooks }: Pick<Backends, 'portal' | 'webhooks'>) => [
  route({
    ...shared,
    name: 'createPortalLink',
    method: 'POST',
    schemas: { body: portalLinkCreate },
    success: 201,
    response: portalLink,
    summary: 'Create a link to the portal',
    description:
      'The portal shows one person of your organization its orders, custody chains, deliveries and endpoints in a browser, without your key. The link works once. Its session has the scopes of your key or fewer, and ends at `expires_at`, after 30 minutes without use, at sign-out, and within 5 seconds after your key ends or `endPortalLinks`. All sessions of a key share budgets of their own, of the size of the key’s. If your key is limited to client addresses, so are its sessions.',
    handle: async ({ organizationId, credentials, body, call }) => {
      const { scopes, read_only, endpoint_id, expires_in } = body;
      // NOT_FOUND for an endpoint of another organization
      if (endpoint_id !== null)
        await webhooks.getEndpoint({ organizationId, id: endpoint_id }, call);
      const rights = {
        scopes: [...(scopes ?? [])],
        readOnly: read_only,
        endpointId: endpoint_id ?? '',
        lastsSeconds: expires_in,
      };
      const { link, url } = await portal
        .createLink({ keyId: credentials.keyId, rights }, call)
        .catch(throwFaultsInBody);
      const { id, opensUntil, expiresAt, scopes: granted, readOnly, endpointId } = link!;
      return json({
        ...{ id, url, opens_until: opensUntil, expires_at: expiresAt },
        ...{ scopes: granted, read_only: readOnly, endpoint_id: endpointId || null },
      });
    },
  }),
  route({
    ...shared,
    name: 'endPortalLinks',
    method: 'DELETE',
    success: 204,
    summary: "End all of the key's links to the portal and their sessions",
    description: 'Takes effect within 5 seconds.',
    handle: async ({ credentials, call }) => {
      await portal.endLinks({ keyId: credentials.keyId }, call);
      return nothing();
    },
  }),
];
