/** A schema without organizations in its keys, and the migrations that add them online. */
import {
  dailyPartitions,
  leastUuid,
  longMigration,
  type MigrationList,
  shortMigration,
  sqlMigration,
} from '../../../src/index.ts';

export const before = sqlMigration('20260101000000_before', [
  'create table parents (id uuid primary key, organization_id uuid not null)',
  'create table parts (parent_id uuid, n int, text text, primary key (parent_id, n))',
  'create table days (id uuid primary key, parent_id uuid not null) partition by range (id)',
  ...dailyPartitions({ days: 'false' }),
]);

/** Fills the rows of a table by ranges of a column with an index, each range in its transaction. */
const filled = (table: string, by: string): string => `do $$
  declare
    last uuid := '${leastUuid}';
    most uuid;
  begin
    loop
      select key into most from (
        select ${by} as key from ${table} where ${by} > last order by ${by} limit 5000
      ) batch order by key desc limit 1;
      exit when most is null;
      update ${table} set organization_id =
          (select p.organization_id from parents p where p.id = parent_id)
        where ${by} > last and ${by} <= most and organization_id is null;
      commit;
      last := most;
    end loop;
  end $$`;

let made = 0;
const nextName = (): string => `20260102${String(++made).padStart(6, '0')}_organizations`;
const short = (...statements: string[]) => shortMigration(nextName(), statements);
export const longNames: string[] = [];
const long = (...statements: string[]) => {
  const migration = longMigration(nextName(), statements);
  longNames.push(migration.name);
  return migration;
};

/** The valid check spares the column's `not null` a scan of the table under a lock. */
const notNull = (table: string) => [
  short(`alter table ${table} add constraint filled check (organization_id is not null) not valid`),
  long(`alter table ${table} validate constraint filled`),
  short(
    `alter table ${table} alter column organization_id set not null`,
    `alter table ${table} drop constraint filled`,
  ),
];

const index = (name: string, on: string) =>
  long(
    `drop index concurrently if exists ${name}`,
    `create unique index concurrently ${name} on ${on}`,
  );

export const online: MigrationList = [
  short(
    `create function fill_organization() returns trigger language plpgsql as $$
      begin
        select p.organization_id into new.organization_id from parents p where p.id = new.parent_id;
        return new;
      end $$`,
    ...['parts', 'days'].flatMap((table) => [
      `alter table ${table} add column organization_id uuid`,
      `create trigger ${table}_fill_organization before insert on ${table}
        for each row when (new.organization_id is null) execute function fill_organization()`,
    ]),
  ),
  long(filled('parts', 'parent_id')),
  long(filled('days', 'id')),
  ...notNull('parts'),
  ...notNull('days'),
  index('parts_old_key', 'parts (parent_id, n)'),
  index('parts_new_pkey', 'parts (organization_id, parent_id, n)'),
  short(
    `alter table parts drop constraint parts_pkey,
      add constraint parts_pkey primary key using index parts_new_pkey`,
  ),
];

export const onlineNames = online.map(({ name }) => name);

export const migrations: MigrationList = [before, ...online];
