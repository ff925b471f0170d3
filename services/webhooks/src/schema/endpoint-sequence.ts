import { defineEntity, p } from '@mikro-orm/core';

/** The last used number of an endpoint's stream. */
export const EndpointSequenceEntity = defineEntity({
  name: 'EndpointSequence',
  tableName: 'endpoint_sequences',
  properties: {
    endpointId: p.uuid().primary(),
    last: p.bigint('string').defaultRaw('0'),
  },
});
