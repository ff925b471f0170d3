import { defineEntity, p } from '@mikro-orm/core';

/** A sealed secret of an endpoint. `expires_at` is null for the newest secret. */
export const EndpointSecretEntity = defineEntity({
  name: 'EndpointSecret',
  tableName: 'endpoint_secrets',
  properties: {
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    sealingKey: p.text(),
    sealed: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
  },
  indexes: [
    {
      name: 'secrets_of_endpoint',
      columns: [{ name: 'endpoint_id' }, { name: 'created_at', sort: 'DESC' }],
    },
  ],
});
