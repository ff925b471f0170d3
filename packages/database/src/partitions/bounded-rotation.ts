import { ownersFunction } from './rotation-functions.ts';

/**
 * Maximum number of days ahead for which partitions are created. No outage of the rotation should
 * last a month.
 */
const daysAheadMax = 31;

/**
 * Returns statements for a migration after `dailyPartitions`. The service's role gets a function
 * for the rotation that rejects dropping days that must be retained and creating partitions far
 * ahead. Only the owner can call the function without bounds.
 * @param daysMin minimum number of days to retain, by table.
 */
export const boundedRotation = (daysMin: Readonly<Record<string, number>>): readonly string[] => [
  'alter function rotate_daily_partitions(text, int, int) rename to rotate_any_daily_partitions',
  `create function rotate_daily_partitions(parent text, days_ahead int, days_kept int)
   returns void language plpgsql security definer
   set search_path = public set lock_timeout = '100ms' as $$
   declare
     least_kept int := case parent ${Object.entries(daysMin)
       .map(([table, days]) => `when '${table}' then ${days}`)
       .join(' ')} end;
   begin
     if least_kept is null then
       raise exception 'not a table with daily partitions: %', parent using errcode = '22023';
     end if;
     if days_kept is null or days_kept < least_kept then
       raise exception '% keeps at least % days', parent, least_kept using errcode = '22023';
     end if;
     if days_ahead is null or days_ahead not between 0 and ${daysAheadMax} then
       raise exception 'partitions are made for at most ${daysAheadMax} days' using errcode = '22023';
     end if;
     perform rotate_any_daily_partitions(parent, days_ahead, days_kept);
   end $$`,
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...ownersFunction('rotate_any_daily_partitions(text, int, int)'),
];
