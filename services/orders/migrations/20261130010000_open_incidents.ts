import { shortMigration } from '@pto/database';

/** The incidents that no entry has resolved (decision 88), as a JSON array; null: none. */
export const openIncidents = shortMigration('20261130010000_open_incidents', [
  'alter table orders add column open_incidents text',
]);
