/**
 * Statements that fail: a trigger on every table raises the errors that a table of the workload
 * lists, such as a full disk (53100) or a canceled statement (57014).
 */
import { asSuperuser, type DatabaseName, databaseNames } from '../../as-superuser.ts';

const install = `
  create schema chaos;
  create table chaos.failing (sqlstate text not null, share float8 not null);
  create function chaos.fail() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
    declare failing record;
    begin
      for failing in select * from chaos.failing loop
        if random() < failing.share then
          raise exception 'drawn by the workload' using errcode = failing.sqlstate;
        end if;
      end loop;
      return null;
    end $$;
  do $$
    declare target regclass;
    begin
      for target in
        select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      loop
        execute format(
          'create trigger chaos before insert or update or delete on %s
             for each statement execute function chaos.fail()', target);
      end loop;
    end $$`;

/** @param superuserUrl of the server; the services must have made their tables. */
export const openFailingStatements = async (superuserUrl: string) => {
  const within = (database: DatabaseName, text: string, values: unknown[] = []): Promise<void> =>
    asSuperuser(superuserUrl, database, async (client) => {
      await client.query(text, values);
    });
  for (const database of databaseNames) await within(database, install);
  return {
    /** From now on a share (0..1) of the database's writing statements fails with the SQLSTATE. */
    fail: (database: DatabaseName, sqlstate: string, share: number) =>
      within(database, 'insert into chaos.failing values ($1, $2)', [sqlstate, share]),
    restore: (database: DatabaseName) => within(database, 'delete from chaos.failing'),
  };
};
