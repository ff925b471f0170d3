/** A schema without organizations in its keys, and the online migration that adds them. */
import {
  backfill,
  dailyPartitions,
  type MigrationList,
  onlineIndex,
  onlineMigration,
  onlineNotNull,
  onlinePrimaryKey,
  shortTransaction,
  sqlMigration,
} from '../../../src/index.ts';

export const before = sqlMigration('20260101000000_before', [
  'create table parents (id uuid primary key, organization_id uuid not null)',
  'create table parts (parent_id uuid, n int, text text, primary key (parent_id, n))',
  'create table days (id uuid primary key, parent_id uuid not null) partition by range (id)',
  ...dailyPartitions({ days: 'false' }),
]);

const organization =
  'organization_id = (select p.organization_id from parents p where p.id = parent_id)';
const where = 'organization_id is null';

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
  backfill({ table: 'parts', by: 'parent_id', set: organization, where }),
  backfill({ table: 'days', by: 'id', set: organization, where }),
  ...onlineNotNull('parts', 'organization_id'),
  ...onlineNotNull('days', 'organization_id'),
  onlineIndex({ name: 'parts_old_key', table: 'parts', on: '(parent_id, n)', unique: true }),
  onlineIndex({ name: 'days_old_key', table: 'days', on: '(id)', unique: true }),
  ...onlinePrimaryKey('parts', ['organization_id', 'parent_id', 'n']),
  ...onlinePrimaryKey('days', ['organization_id', 'id']),
]);

export const migrations: MigrationList = [before, online];
