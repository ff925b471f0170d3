import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    enabled: p.boolean(),
    admins: p.array(),
    createdAt: p.datetime().fieldName('created_at'),
  },
});
export type OrganizationRecord = InferEntity<typeof OrganizationEntity>;

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().fieldName('organization_id'),
    hash: p.blob(),
    last4: p.text(),
    scopes: p.array(),
    createdAt: p.datetime().fieldName('created_at'),
    expiresAt: p.datetime().fieldName('expires_at').nullable(),
    revokedAt: p.datetime().fieldName('revoked_at').nullable(),
    lastUsedAt: p.datetime().fieldName('last_used_at').nullable(),
    replacedBy: p.uuid().fieldName('replaced_by').nullable(),
    readsPerMinute: p.integer().fieldName('reads_per_minute').nullable(),
    writesPerMinute: p.integer().fieldName('writes_per_minute').nullable(),
    name: p.text().nullable(),
    allowedCidrs: p.array().fieldName('allowed_cidrs').nullable(),
  },
});
export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
