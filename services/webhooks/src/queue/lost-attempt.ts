import { fragment } from '@pto/database';

/**
 * The row of `attempts` of a lease that ended without a result, from the columns of its row of
 * `pending_deliveries`.
 */
export const lostAttempt = {
  organization_id: fragment.ref<string>('organization_id'),
  delivery_id: fragment.ref<string>('delivery_id'),
  number: fragment.ref<number>('attempts'),
  at: fragment.ref<string>('leased_at'),
  error: fragment.lit('lost'),
  duration_ms: fragment<number>`(extract(epoch from lease_until - leased_at) * 1000)::int`,
};
