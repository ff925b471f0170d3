import { expect, test } from '@jest/globals';
import { testDatabase } from '@pto/testing';
import { Client } from 'pg';
import {
  boundedRotation,
  dailyPartitions,
  type MigrationList,
  migrate,
  movingRotation,
  sqlMigration,
} from '../../src/index.ts';

const tables = { work: 'false' };
const before = sqlMigration('20260101000000_work', [
  'create table work (id uuid primary key) partition by range (id)',
  ...dailyPartitions(tables),
  ...boundedRotation({ work: 7 }),
]);
/** As a release without `move_default_partition_rows` left the database. */
const earlierRelease = sqlMigration('20260102000000_earlier', [
  'drop function move_default_partition_rows(text, date, int)',
  `create or replace function rotate_any_daily_partitions(parent text, days_ahead int, days_kept int)
   returns void language plpgsql security definer
   set search_path = public set lock_timeout = '100ms' as $$ begin end $$`,
]);
const moving = sqlMigration('20260103000000_moving', movingRotation(tables));

/** Text and rights of each function after the migrations. */
const functionsAfter = async (migrations: MigrationList): Promise<unknown[]> => {
  const database = await testDatabase('moving');
  await migrate(database.ownerUrl, migrations);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query(
    `select pg_get_functiondef(p.oid) as definition, p.proname as name,
      has_function_privilege($1, p.oid, 'execute') as service_may,
      has_function_privilege($2, p.oid, 'execute') as reader_may
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname`,
    [`${database.name}_service`, `${database.name}_reader`],
  );
  await owner.end();
  await database.drop();
  return rows;
};

test('a new database and an upgraded one have the same functions with the same rights', async () => {
  const fresh = await functionsAfter([before, moving]);
  expect(await functionsAfter([before, earlierRelease, moving])).toEqual(fresh);
  expect(fresh).toEqual([
    expect.objectContaining({ name: 'first_uuidv7_of' }),
    expect.objectContaining({ name: 'move_default_partition_rows', service_may: false }),
    expect.objectContaining({ name: 'rotate_any_daily_partitions', service_may: false }),
    expect.objectContaining({ name: 'rotate_daily_partitions', service_may: true }),
  ]);
});
