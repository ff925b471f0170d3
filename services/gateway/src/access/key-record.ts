import { uuidv7 } from '@pto/database';
import type { ApiKeyRecord } from '../schema/api-key.ts';
import { type Environment, hashApiKey, newApiKey } from './api-key.ts';

/** Returns a new secret, and the record that stores its hash. */
export const newKey = (
  environment: Environment,
  from: Omit<ApiKeyRecord, 'id' | 'hash' | 'last4' | 'createdAt'>,
) => {
  const secret = newApiKey(environment);
  const record = {
    ...from,
    id: uuidv7(),
    hash: hashApiKey(secret),
    last4: secret.slice(-4),
    createdAt: new Date(),
  };
  return { secret, record };
};

const iso = (date: Date | null | undefined): string => date?.toISOString() ?? '';

/** Returns a key as the AccessService shows it: without its hash. */
export const keyShape = (record: ApiKeyRecord) => ({
  id: record.id,
  organizationId: record.organizationId,
  last4: record.last4,
  scopes: [...record.scopes],
  createdAt: iso(record.createdAt),
  expiresAt: iso(record.expiresAt),
  revokedAt: iso(record.revokedAt),
  lastUsedAt: iso(record.lastUsedAt),
  readsPerMinute: record.readsPerMinute ?? 0,
  writesPerMinute: record.writesPerMinute ?? 0,
  name: record.name ?? '',
  allowedCidrs: [...(record.allowedCidrs ?? [])],
});
