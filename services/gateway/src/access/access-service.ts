import { AccessService } from '@pto/proto/access/v1/access';
import { implement } from '@pto/rpc';
import type { apiKeys } from './keys.ts';
import type { organizations } from './organizations.ts';

/** Serves the RPCs with which operators manage organizations and keys. */
export const accessService = (deps: {
  organizations: ReturnType<typeof organizations>;
  keys: ReturnType<typeof apiKeys>;
}) =>
  implement(AccessService, {
    createOrganization: async (request) => ({
      organization: await deps.organizations.create(request),
    }),
    listOrganizations: async ({ afterId }) => deps.organizations.list(afterId),
    getOrganization: async ({ id }) => ({ organization: await deps.organizations.get(id) }),
    setOrganizationEnabled: async ({ id, enabled }) => ({
      organization: await deps.organizations.setEnabled(id, enabled),
    }),
    setAdministrators: async ({ id, admins }) => ({
      organization: await deps.organizations.setAdmins(id, admins),
    }),
    issueKey: async (request) =>
      deps.keys.issue({ ...request, expiresInSeconds: Number(request.expiresInSeconds) }),
    listKeys: async ({ organizationId }) => ({ keys: await deps.keys.list(organizationId) }),
    revokeKey: async ({ id }) => ({ key: await deps.keys.revoke(id) }),
    rotateKey: async ({ id, overlapSeconds }) => deps.keys.rotate(id, overlapSeconds),
    setKeyAllowedCidrs: async ({ id, allowedCidrs }) => ({
      key: await deps.keys.setAllowedCidrs(id, allowedCidrs),
    }),
    setKeyLimits: async ({ id, readsPerMinute, writesPerMinute }) => ({
      key: await deps.keys.setLimits(id, {
        ...(readsPerMinute !== undefined && { reads: readsPerMinute }),
        ...(writesPerMinute !== undefined && { writes: writesPerMinute }),
      }),
    }),
  });
