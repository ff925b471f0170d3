import { sqlMigration } from '@pto/database';

/**
 * Gives every change a time after the moments that polls by `updated_since` have returned, even if
 * the database's clock was set back (a failover to a server whose clock is behind).
 */
export const pollMoments = sqlMigration('20261122201000_poll_moments', [
  `create table poll_moments (
    organization_id uuid primary key,
    at timestamptz not null
  ) with (fillfactor = 50)`,
  // a function for the clock, so that a test can set it back
  `create function order_clock() returns timestamptz language sql volatile
   as 'select clock_timestamp()'`,
  // plpgsql: each query of a volatile function sees all commits before its own start, even if the
  // calling statement has waited for a poll's lock
  `create function change_moment(organization uuid) returns timestamptz language plpgsql volatile
   as $$
   begin
     return greatest(order_clock(),
       (select at from poll_moments where organization_id = organization));
   end $$`,
]);
