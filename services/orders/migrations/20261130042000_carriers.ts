import { shortMigration } from '@pto/database';

/** The records of carrier and driver, in the database of operators; null: a name alone, or none. */
export const carriers = shortMigration('20261130042000_carriers', [
  'alter table orders add column carrier_id uuid, add column driver_id uuid',
]);
