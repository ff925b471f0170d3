import { defineEntity, p } from '@mikro-orm/core';

/**
 * The idempotency key of the request that created an endpoint. `response` is the JSON for the
 * partner with an empty secret; null until the handshake has ended. `finish_by` is the time at which
 * the request that stores it ends.
 */
export const EndpointCreationEntity = defineEntity({
  name: 'EndpointCreation',
  tableName: 'endpoint_creations',
  properties: {
    endpointId: p.uuid().primary(),
    organizationId: p.uuid(),
    key: p.text(),
    bodySha256: p.blob(),
    response: p.text().nullable(),
    finishBy: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  uniques: [{ name: 'endpoint_creation_of_key', properties: ['organizationId', 'key'] }],
});
