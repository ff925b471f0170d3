import { defineEntity, p } from '@mikro-orm/core';
import type { endpointStatuses } from '@pto/proto/vocabulary';

type EndpointStatus = (typeof endpointStatuses)[number];

/** A partner's webhook endpoint (contract 2.5). */
export const EndpointEntity = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoints',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    url: p.text(),
    urlVersion: p.integer().default(1),
    status: p.text().$type<EndpointStatus>(),
    disabled: p.boolean().default(false),
    eventFilter: p.array().nullable(),
    generation: p.integer().default(1),
    generationReason: p.text().default(''),
    consecutiveFailures: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    exhausted: p.integer().default(0),
    warnedLevel: p.smallint().default(0),
    lastSuccessAt: p.datetime().nullable(),
    lastFailureAt: p.datetime().nullable(),
    verifiedAt: p.datetime().nullable(),
    resumedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    verifyBy: p.datetime().nullable(),
    rehearsalSpeed: p.smallint().nullable(),
    rehearsalFaults: p.array().nullable(),
    rehearsalEndsAt: p.datetime().nullable(),
    paused: p.boolean().default(false),
  },
});

/** What stays of a deleted endpoint while its deliveries are stored (decision 80). */
export const DeletedEndpointEntity = defineEntity({
  name: 'DeletedEndpoint',
  tableName: 'deleted_endpoints',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    address: p.text(),
    deletedAt: p.datetime().defaultRaw('now()').index('deleted_endpoints_oldest'),
    eventFilter: p.array().nullable(),
    createdAt: p.datetime().nullable(),
  },
});

/**
 * The idempotency key of the request that created an endpoint. `response` is the JSON for the
 * partner with an empty secret; null until the handshake has ended. `finish_by` is the time at which
 * the request that stores it ends.
 */
export const EndpointCreationEntity = defineEntity({
  name: 'EndpointCreation',
  tableName: 'endpoint_creations',
  properties: {
    organizationId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    key: p.text(),
    bodySha256: p.blob(),
    response: p.text().nullable(),
    finishBy: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A sealed secret of an endpoint. `expires_at` is null for the newest secret. */
export const EndpointSecretEntity = defineEntity({
  name: 'EndpointSecret',
  tableName: 'endpoint_secrets',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    sealingKey: p.text(),
    sealed: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
  },
});

/** The last used number of an endpoint's stream. */
export const EndpointSequenceEntity = defineEntity({
  name: 'EndpointSequence',
  tableName: 'endpoint_sequences',
  properties: {
    organizationId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    last: p.bigint('string').defaultRaw('0'),
  },
});

/**
 * The budget of a host for handshakes and test requests. All of it is available again at `full_at`.
 */
export const ProbeBudgetEntity = defineEntity({
  name: 'ProbeBudget',
  tableName: 'probe_budgets',
  properties: {
    subject: p.text().primary(),
    fullAt: p.datetime(),
  },
});

/** A warning mail that is not sent yet. `level` is the percentage of the failure limit. */
export const WarningEntity = defineEntity({
  name: 'Warning',
  tableName: 'warnings',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    level: p.smallint(),
    tries: p.integer().default(0),
    nextTryAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
