import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An API key. The key itself is not stored; `hash` is its SHA-256 (decision 16). */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    hash: p.blob().unique('api_keys_hash_key'),
    last4: p.text(),
    scopes: p.array(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    replacedBy: p.uuid().nullable(),
    readsPerMinute: p.integer().nullable(),
    writesPerMinute: p.integer().nullable(),
    name: p.text().nullable(),
    allowedCidrs: p.array().nullable(),
  },
  indexes: [{ name: 'api_keys_of_organization', properties: ['organizationId', 'id'] }],
});

export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
