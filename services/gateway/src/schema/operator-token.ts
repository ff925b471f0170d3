import { defineEntity, p } from '@mikro-orm/core';

/** An operator's personal token. `hash` is its SHA-256; `last_used_at` is precise to the minute. */
export const OperatorTokenEntity = defineEntity({
  name: 'OperatorToken',
  tableName: 'operator_tokens',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    hash: p.blob().unique('operator_tokens_hash_key'),
    last4: p.text(),
    roles: p.array(),
    createdAt: p.datetime().defaultRaw('clock_timestamp()'),
    createdBy: p.text(),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    revokedBy: p.text().nullable(),
  },
});
