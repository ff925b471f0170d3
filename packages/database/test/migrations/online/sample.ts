/** A schema without organizations in its keys, and the online migration that adds them. */
import {
  dailyPartitions,
  leastUuid,
  longStatements,
  type MigrationList,
  onlineMigration,
  shortTransaction,
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

/** The valid check spares the column's `not null` a scan of the table under a lock. */
const notNull = (table: string) => [
  shortTransaction(`${table}: reject null in new rows`, [
    `alter table ${table} add constraint filled check (organization_id is not null) not valid`,
  ]),
  longStatements(`${table}: check all rows`, [`alter table ${table} validate constraint filled`]),
  shortTransaction(`${table}: not null`, [
    `alter table ${table} alter column organization_id set not null`,
    `alter table ${table} drop constraint filled`,
  ]),
];

const index = (name: string, on: string) =>
  longStatements(`index ${name}`, [
    `drop index concurrently if exists ${name}`,
    `create unique index concurrently ${name} on ${on}`,
  ]);

export const online = onlineMigration('20260102000000_organizations', [
  shortTransaction('organization_id', [
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
  ]),
  longStatements('fill parts', [filled('parts', 'parent_id')]),
  longStatements('fill days', [filled('days', 'id')]),
  ...notNull('parts'),
  ...notNull('days'),
  index('parts_old_key', 'parts (parent_id, n)'),
  index('parts_new_pkey', 'parts (organization_id, parent_id, n)'),
  shortTransaction('parts: primary key', [
    `alter table parts drop constraint parts_pkey,
      add constraint parts_pkey primary key using index parts_new_pkey`,
  ]),
]);

export const migrations: MigrationList = [before, online];
