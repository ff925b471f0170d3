import { expect, test } from '@jest/globals';
import { testDatabase } from '@pto/testing';
import { Client } from 'pg';
import {
  boundedRotation,
  dailyPartitions,
  type MigrationList,
  migrate,
  sqlMigration,
} from '../../src/index.ts';

const work = sqlMigration('20260101000000_work', [
  'create table work (id uuid primary key) partition by range (id)',
  ...dailyPartitions({ work: 'false' }),
  ...boundedRotation({ work: 7 }),
]);
/** Rights to each function after the migrations. */
const functionsAfter = async (migrations: MigrationList): Promise<unknown[]> => {
  const database = await testDatabase('moving');
  await migrate(database.ownerUrl, migrations);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query(
    `select p.proname as name,
      has_function_privilege($1, p.oid, 'execute') as service_may,
      has_function_privilege($2, p.oid, 'execute') as reader_may
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname`,
    [`${database.name}_service`, `${database.name}_reader`],
  );
  await owner.end();
  await database.drop();
  return rows;
};

test('only the owner may call the functions without bounds', async () => {
  expect(await functionsAfter([work])).toEqual([
    expect.objectContaining({ name: 'first_uuidv7_of' }),
    expect.objectContaining({ name: 'move_default_partition_rows', service_may: false }),
    expect.objectContaining({ name: 'rotate_any_daily_partitions', service_may: false }),
    expect.objectContaining({ name: 'rotate_daily_partitions', service_may: true }),
  ]);
});
