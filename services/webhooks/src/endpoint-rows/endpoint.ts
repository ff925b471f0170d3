import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export type EndpointStatus = 'PENDING_VERIFICATION' | 'ENABLED' | 'BROKEN';

/** A partner's webhook endpoint (contract 2.5). The counts of its health are written elsewhere. */
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
    eventFilter: p.array().columnType('text[]').nullable(),
    epoch: p.integer().default(1),
    epochReason: p.text().default(''),
    consecutiveFailures: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    exhausted: p.integer().default(0),
    verifiedAt: p.datetime().nullable(),
    lastSuccessAt: p.datetime().nullable(),
    lastFailureAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

export type Endpoint = InferEntity<typeof EndpointEntity>;
