import { sqlMigration } from '@pto/database';

/**
 * No change gets a time before a moment that a poll by `updated_since` has answered, though the
 * database's clock was set back (a failover to a server whose clock is behind).
 */
export const pollMoments = sqlMigration('20261122201000_poll_moments', [
  `create table poll_moments (
    organization_id uuid primary key,
    at timestamptz not null
  ) with (fillfactor = 50)`,
  // one place for the clock, so that a test can set it back
  `create function order_clock() returns timestamptz language sql volatile
   as 'select clock_timestamp()'`,
  // plpgsql: each query of a volatile function sees what was committed before it began, also where
  // the statement that calls it has waited for a poll's lock
  `create function change_moment(organization uuid) returns timestamptz language plpgsql volatile
   as $$
   begin
     return greatest(order_clock(),
       (select at from poll_moments where organization_id = organization));
   end $$`,
]);
