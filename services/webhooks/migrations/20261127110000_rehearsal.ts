import { sqlMigration } from '@pto/database';

/**
 * Rehearsals of deliveries in the sandbox (decision 67). All columns are null in production. A
 * replica of the version before ignores them.
 */
export const rehearsal = sqlMigration('20261127110000_rehearsal', [
  `alter table endpoints
    add column rehearsal_speed smallint check (rehearsal_speed between 1 and 60),
    add column rehearsal_faults text[],
    -- null: there was no rehearsal
    add column rehearsal_ends_at timestamptz`,
  `alter table pending_deliveries
    -- true: an attempt succeeded, and the rehearsal sends the delivery once more
    add column duplicated boolean`,
]);
