import { testDatabase } from '@pto/testing';
import { Client } from 'pg';
import { migrate, uuidv7 } from '../../../src/index.ts';
import { before } from './sample.ts';

export const parentsCount = 200;

/** A database before the online migration, with rows, and a connection of its owner. */
export const onlineDatabase = async () => {
  const database = await testDatabase('online');
  await migrate(database.ownerUrl, [before]);
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const parents = Array.from({ length: parentsCount }, () => uuidv7());
  await owner.query(
    'insert into parents select id, gen_random_uuid() from unnest($1::uuid[]) as p (id)',
    [parents],
  );
  await owner.query(
    'insert into parts select id, n, null from parents, generate_series(1, 60) as n',
  );
  await owner.query('insert into days select id, id from parents');
  return {
    ...database,
    owner,
    parents,
    stop: async () => {
      await owner.end();
      await database.drop();
    },
  };
};

/** Columns of each unique index of the tables, and whether it is the primary key and complete. */
export const keysOf = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ key: string }>(
    `select c.relname || case when i.indisprimary then ' primary' else ' unique' end || ' (' || (
         select string_agg(a.attname, ', ' order by k.n)
         from unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum) || ')' ||
         case when i.indisvalid then '' else ' incomplete' end as key
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relname in ('parts', 'days') and i.indisunique
     order by 1`,
  );
  return rows.map(({ key }) => key);
};

/** The keys after the online migration. */
export const migratedKeys: readonly string[] = [
  'days primary (id)',
  'parts primary (organization_id, parent_id, n)',
  'parts unique (parent_id, n)',
];

/** Number of rows whose organization is not that of their parent. */
export const wrongRows = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ wrong: number }>(
    `select count(*)::int as wrong from (
       select parent_id, organization_id from parts union all
       select parent_id, organization_id from days) child
     join parents p on p.id = child.parent_id
     where child.organization_id is distinct from p.organization_id`,
  );
  return rows[0]!.wrong;
};
