import { sqlMigration } from '@pto/database';

/**
 * The end of an order's custody, and what finds the same readings in another file (decisions 78 and
 * 79). Orders that were delivered before count as not delivered, and their files have no key.
 */
export const custodyTimes = sqlMigration('20261129140000_custody_times', [
  'alter table orders add column delivered_at text',
  // SHA-256 of the normalized readings and their device; null for files of handovers
  `alter table artifacts add column readings_key text check (readings_key ~ '^[0-9a-f]{64}$')`,
]);
