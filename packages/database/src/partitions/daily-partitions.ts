/**
 * Returns statements for a migration: daily partitions (UTC) of tables that are partitioned by
 * range of a UUIDv7 column, and a function that creates the partitions of the coming days and drops
 * old partitions. The function never drops a partition with a row that is still needed. It runs
 * with its owner's rights, so the service's role needs no right to change the schema, and it
 * changes only the tables named here. A later migration that adds a table must name all tables
 * again.
 * @param tables name → SQL condition of a row that must not be dropped (`false` for none).
 */
export const dailyPartitions = (tables: Readonly<Record<string, string>>): readonly string[] => [
  ...rotationFunctions('rotate_daily_partitions', tables),
  // the service's role has its own grant; no other role may call the function
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...Object.keys(tables).flatMap((table) => [
    // the default partition stores rows of a day that has no partition
    `create table if not exists ${table}_other partition of ${table} default`,
    `select rotate_daily_partitions('${table}', 7, 36500)`,
  ]),
];

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
 * @param options.onlyThroughParent the service's role gets no right on a partition itself, so its
 *   rights on the rows are those on the table.
 */
export const boundedRotation = (
  daysMin: Readonly<Record<string, number>>,
  options: { readonly onlyThroughParent?: true } = {},
): readonly string[] => [
  'alter function rotate_daily_partitions(text, int, int) rename to rotate_any_daily_partitions',
  `create function rotate_daily_partitions(parent text, days_ahead int, days_kept int)
   returns void language plpgsql security definer
   set search_path = public set lock_timeout = '100ms' as $$
   declare
     least_kept int := case parent ${Object.entries(daysMin)
       .map(([table, days]) => `when '${table}' then ${days}`)
       .join(' ')} end;${options.onlyThroughParent ? '\n     child text;' : ''}
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
     perform rotate_any_daily_partitions(parent, days_ahead, days_kept);${
       options.onlyThroughParent ? revokePartitions : ''
     }
   end $$`,
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  ...ownersFunction('rotate_any_daily_partitions(text, int, int)'),
];

/** Takes from the service's role the rights that it has on each new table by default. */
const revokePartitions = `
     for child in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = parent::regclass
         and has_table_privilege(current_database() || '_service', c.oid, 'select, insert, update, delete')
     loop
       execute format('revoke all on %I from %I', child, current_database() || '_service');
     end loop;`;

/**
 * Maximum number of rows that a rotation moves for one day. The table is locked meanwhile, for
 * about 0.1 s.
 */
const rowsMovedMax = 10_000;

/**
 * Returns statements that create or replace the rotation function with the given name and its two
 * helper functions. The rotation waits at most 100 ms for a lock, because other statements queue
 * behind a rotation that waits; the next rotation tries again. If a day's partition cannot be
 * created, the rotation writes a warning to the server's log and continues with the other days.
 * @param tables name → SQL condition of a row that must not be dropped (`false` for none).
 */
const rotationFunctions = (
  name: string,
  tables: Readonly<Record<string, string>>,
): readonly string[] => [
  `create or replace function first_uuidv7_of(day date) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from day)::bigint) * 1000), 12, '0')
      || '00000000000000000000')::uuid
  $$`,
  moveSql,
  ...ownersFunction('move_default_partition_rows(text, date, int)'),
  `create or replace function ${name}(parent text, days_ahead int, days_kept int)
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
       begin
         if to_regclass(child) is null then
           begin
             execute format('create table %I partition of %I for values from (%L) to (%L)',
               child, parent, first_uuidv7_of(day), first_uuidv7_of(day + 1));
           exception when check_violation then -- the default partition holds rows of this day
             perform move_default_partition_rows(parent, day, ${rowsMovedMax});
           end;
         end if;
       exception when others then
         raise warning 'partition % was not created: %', child, sqlerrm;
       end;
       day := day + 1;
     end loop;
     for child in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = parent::regclass and c.relname ~ '_[0-9]{8}$'
         and to_date(right(c.relname, 8), 'YYYYMMDD')
           < (now() at time zone 'utc')::date - days_kept
     loop
       begin
         execute format('select exists (select from %I where %s)', child, live) into held;
         if not held then
           execute format('drop table %I', child);
         end if;
       exception when lock_not_available then
         raise warning 'partition % was not dropped: %', child, sqlerrm;
       end;
     end loop;
   end $$`,
];

/**
 * Returns statements that revoke a function from all roles except its owner.
 * @param signature with types.
 */
const ownersFunction = (signature: string): readonly string[] => [
  `revoke execute on function ${signature} from public`,
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_routine_grants g
        where g.routine_name = '${signature.replace(/\(.*/, '')}' and g.grantee <> current_user
      loop
        execute format('revoke execute on function ${signature} from %I', grantee);
      end loop;
    end $$`,
];

/**
 * Creates one day's partition from rows in the default partition. Locks the table before it counts
 * the rows, and until the commit, so that no statement of a READ COMMITTED transaction reads rows
 * twice or misses them. The new table has no identity column, because PostgreSQL cannot attach a
 * table that has one; the parent's identity column numbers new rows.
 */
const moveSql = `create or replace function move_default_partition_rows(
    parent text, day date, rows_max int)
  returns void language plpgsql set search_path = public as $$
  declare
    child text := parent || to_char(day, '_YYYYMMDD');
    other text := parent || '_other';
    of_day text;
    found int;
  begin
    select format('%I >= %L and %I < %L',
        a.attname, first_uuidv7_of(day), a.attname, first_uuidv7_of(day + 1)) into strict of_day
      from pg_partitioned_table p
      join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
      where p.partrelid = parent::regclass;
    execute format('lock table only %I, only %I in access exclusive mode', parent, other);
    execute format('select count(*) from (select from %I where %s limit %s + 1) as some_rows',
      other, of_day, rows_max) into found;
    if found > rows_max then
      raise exception '% holds more than % rows of %', other, rows_max, day;
    end if;
    execute format('create table %I (like %I including all excluding identity excluding indexes)',
      child, parent);
    execute format('with moved as (delete from %I where %s returning *)
      insert into %I select * from moved', other, of_day, child);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, child, first_uuidv7_of(day), first_uuidv7_of(day + 1));
  end $$`;
