import type { Telemetry } from '@pto/telemetry';
import type { Sql } from './database.ts';

/**
 * Statements for a migration: makes partitions of tables that are partitioned by range of a UUIDv7
 * column, one a day (UTC), and drops old ones, but never one with a row that is still to be worked
 * on. The function runs with its owner's rights, so the service's role needs none; it touches only
 * the tables named here. It waits 100 ms at most for a lock, as whoever comes behind it waits too:
 * what it could not do then it does the next time. A later migration that adds a table names all
 * of them again.
 * @param tables name → SQL condition of a row that must not be dropped (`false` for none).
 */
export const dailyPartitions = (tables: Readonly<Record<string, string>>): readonly string[] => [
  `create or replace function first_uuidv7_of(day date) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from day)::bigint) * 1000), 12, '0')
      || '00000000000000000000')::uuid
  $$`,
  `create or replace function rotate_daily_partitions(parent text, days_ahead int, days_kept int)
   returns void language plpgsql security definer
   set search_path = public set lock_timeout = '100ms' as $$
   declare
     day date := (now() at time zone 'utc')::date - 1;
     child text;
     live text := case parent ${Object.entries(tables)
       .map(([table, condition]) => `when '${table}' then '${condition.replaceAll("'", "''")}'`)
       .join(' ')} end;
     held boolean;
   begin
     if live is null then
       raise exception 'not a table with daily partitions: %', parent;
     end if;
     perform pg_advisory_xact_lock(hashtext('rotate_daily_partitions'));
     while day <= (now() at time zone 'utc')::date + days_ahead loop
       child := parent || to_char(day, '_YYYYMMDD');
       if to_regclass(child) is null then
         begin
           execute format('create table %I partition of %I for values from (%L) to (%L)',
             child, parent, first_uuidv7_of(day), first_uuidv7_of(day + 1));
         exception when lock_not_available then return;
         end;
       end if;
       day := day + 1;
     end loop;
     for child in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{8}$'
         and to_date(right(c.relname, 8), 'YYYYMMDD')
           < (now() at time zone 'utc')::date - days_kept
     loop
       execute format('select exists (select from %I where %s)', child, live) into held;
       if not held then
         begin
           execute format('drop table %I', child);
         exception when lock_not_available then return;
         end;
       end if;
     end loop;
   end $$`,
  // the service's role was granted it by name; nobody else is to run it
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...Object.keys(tables).flatMap((table) => [
    // rows of a day that nobody made a partition for are kept, not refused
    `create table if not exists ${table}_other partition of ${table} default`,
    `select rotate_daily_partitions('${table}', 7, 36500)`,
  ]),
];

const everyMs = 3_600_000;

/**
 * Every hour, and once at the start: makes the coming days' partitions and drops old ones.
 * @param daysKept by table.
 */
export const rotateDailyPartitions = (
  sql: Sql,
  daysKept: Readonly<Record<string, number>>,
  telemetry: Telemetry,
): { stop(): Promise<void> } => {
  let running: Promise<void>;
  const rotate = async () => {
    for (const [table, days] of Object.entries(daysKept))
      await sql.query('select rotate_daily_partitions($1, 7, $2)', [table, days]);
  };
  const run = () => {
    running = rotate().catch((err) => telemetry.log.warn({ err }, 'partitions were not rotated'));
  };
  run();
  const timer = setInterval(run, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
