import { sqlMigration } from '@pto/database';

/** Marks orders of which an incident is reported from now on. */
export const incidents = sqlMigration('20261127190000_incidents', [
  'alter table orders add column has_incident boolean not null default false',
]);
