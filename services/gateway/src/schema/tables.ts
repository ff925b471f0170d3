import { defineEntity, p } from '@mikro-orm/core';
import { RequestEntity } from '@pto/access';
import { tablesOf } from '@pto/database';

/**
 * The columns that the gateway reads of a table and a view of the operators service, which owns and
 * migrates them. The gateway writes `last_used_at` alone, and adds rows to the log of requests.
 * `test/schema.test.ts` compares the columns with the migrated database.
 */
const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    enabled: p.boolean(),
    cell: p.text().default('main'),
    isMoving: p.boolean().default(false),
  },
});

/** The view of keys and of the portal's sessions, which are derived from keys (decision 69). */
const Credential = defineEntity({
  name: 'Credential',
  tableName: 'credentials',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    hash: p.blob(),
    scopes: p.array(),
    expiresAt: p.datetime().nullable(),
    revoked: p.boolean(),
    readsPerMinute: p.integer().nullable(),
    writesPerMinute: p.integer().nullable(),
    allowedCidrs: p.array().nullable(),
    isSession: p.boolean(),
    parentId: p.uuid().nullable(),
    readOnly: p.boolean(),
    endpointId: p.uuid().nullable(),
  },
});

const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: { id: p.uuid().primary(), lastUsedAt: p.datetime().nullable() },
});

const PortalSession = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_sessions',
  properties: { id: p.uuid().primary(), lastUsedAt: p.datetime().nullable() },
});

/** The tables; the view is compared by every test that looks a key up. */
export const entities = [Organization, ApiKey, PortalSession, RequestEntity] as const;

/** Builds statements over the tables and the view. `execute` of @pto/database runs them. */
export const tables = tablesOf([...entities, Credential]);
