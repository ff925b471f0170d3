import { defineEntity, p } from '@mikro-orm/core';

/**
 * The latest moment that a list by `updated_since` returned to an organization, as `as_of` or as an
 * order's `updated_at`. No later change of the organization's orders gets an earlier time.
 */
export const PollMomentEntity = defineEntity({
  name: 'PollMoment',
  tableName: 'poll_moments',
  properties: {
    organizationId: p.uuid().primary(),
    at: p.datetime(),
  },
});
