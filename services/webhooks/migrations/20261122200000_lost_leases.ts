import { sqlMigration } from '@pto/database';

/**
 * Adds the count of lost leases and the pause after one. Replicas of the release before do not use
 * these columns: with them a lost lease still costs an attempt.
 */
export const lostLeases = sqlMigration('20261122200000_lost_leases', [
  `alter table pending_deliveries
    -- leases that ended without a recorded result
    add column lost smallint not null default 0,
    -- when the delivery is due again if the present lease ends without a recorded result
    add column due_if_lost_at timestamptz`,
]);
