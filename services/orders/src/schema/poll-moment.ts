import { defineEntity, p } from '@mikro-orm/core';

/** The latest moment that a list by `updated_since` returned as `as_of` to an organization. */
export const PollMomentEntity = defineEntity({
  name: 'PollMoment',
  tableName: 'poll_moments',
  properties: {
    organizationId: p.uuid().primary(),
    at: p.datetime(),
  },
});
