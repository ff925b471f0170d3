import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { endpointStatuses } from '@pto/proto/vocabulary';

export type EndpointStatus = (typeof endpointStatuses)[number];

/** A partner's webhook endpoint (contract 2.5). */
export const EndpointEntity = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoints',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
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
    createdAt: p.datetime().defaultRaw('now()'),
    verifyBy: p.datetime().nullable(),
  },
  indexes: [
    { name: 'endpoints_of_organization', properties: ['organizationId', 'id'] },
    { name: 'endpoints_to_verify', properties: ['verifyBy'], where: 'verify_by is not null' },
  ],
});

export type Endpoint = InferEntity<typeof EndpointEntity>;
