import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An organization that uses the API. */
export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    enabled: p.boolean(),
    admins: p.array(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

export type OrganizationRecord = InferEntity<typeof OrganizationEntity>;
