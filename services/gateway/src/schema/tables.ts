import { defineEntity, p } from '@mikro-orm/core';
import { tablesOf } from '@pto/database';

/**
 * The columns that the gateway reads of two tables of the operators service, which owns and
 * migrates them. The gateway writes `last_used_at` alone. `test/schema.test.ts` compares the
 * columns with the migrated database.
 */
const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    enabled: p.boolean(),
  },
});

const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    hash: p.blob(),
    scopes: p.array(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    readsPerMinute: p.integer().nullable(),
    writesPerMinute: p.integer().nullable(),
    allowedCidrs: p.array().nullable(),
  },
});

export const entities = [Organization, ApiKey] as const;

/** Builds statements over the tables. `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);
