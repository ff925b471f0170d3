import { ownersFunction } from './rotation-functions.ts';

/** Days ahead for which partitions are made: a month is more than any outage of the rotation. */
const daysAheadMax = 31;

/**
 * Statements for a migration behind `boundedRotation`: other bounds.
 * @param daysMin by table, all of them: how many days are kept at least.
 */
export const rotationBounds = (daysMin: Readonly<Record<string, number>>): readonly string[] => [
  `create or replace function rotate_daily_partitions(parent text, days_ahead int, days_kept int)
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
];

/**
 * Statements for a migration behind `dailyPartitions`: the service's role calls the rotation by a
 * function that refuses to drop days that are to be kept, or to make years of partitions. The
 * function without bounds stays with its owner.
 * @param daysMin by table: how many days are kept at least.
 */
export const boundedRotation = (daysMin: Readonly<Record<string, number>>): readonly string[] => [
  'alter function rotate_daily_partitions(text, int, int) rename to rotate_any_daily_partitions',
  ...rotationBounds(daysMin),
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...ownersFunction('rotate_any_daily_partitions(text, int, int)'),
];
