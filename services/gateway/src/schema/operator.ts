import { defineEntity, p } from '@mikro-orm/core';

/** A person who signed in with OpenID Connect. `last_seen_at` is precise to the minute. */
export const OperatorEntity = defineEntity({
  name: 'Operator',
  tableName: 'operators',
  properties: {
    id: p.uuid().primary(),
    issuer: p.text(),
    subject: p.text(),
    name: p.text(),
    roles: p.array(),
    firstSeenAt: p.datetime().defaultRaw('clock_timestamp()'),
    lastSeenAt: p.datetime().defaultRaw('clock_timestamp()'),
    blockedAt: p.datetime().nullable(),
    blockedBy: p.text().nullable(),
  },
  uniques: [{ name: 'operators_issuer_subject_key', properties: ['issuer', 'subject'] }],
});
