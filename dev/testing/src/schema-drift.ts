import { MikroORM } from '@mikro-orm/postgresql';
import { type MigrationList, migrate } from '@pto/database';
import { Client } from 'pg';
import { testDatabase } from './test-database.ts';

/** Schema for the entities' tables. The migrated tables are in `public`. */
const declaredSchema = 'declared';

/**
 * Migrates a new database and compares each of its tables with the entities, in both directions:
 * columns, types, nullability, defaults and primary keys. MikroORM creates the entities' tables in a
 * second schema, so PostgreSQL itself writes both sides in one form. Indexes, foreign keys, checks
 * and grants are not compared: the migrations alone declare them.
 * @param part whether the entities are only a part of the database: tables and columns without a
 *   declaration are not compared.
 * @returns one sentence for each difference.
 */
export const schemaDrift = async (
  migrations: MigrationList,
  entities: readonly object[],
  { part = false } = {},
): Promise<string[]> => {
  const database = await testDatabase('drift');
  const client = new Client({ connectionString: database.ownerUrl });
  try {
    await migrate(database.ownerUrl, migrations);
    await client.connect();
    await client.query(`create schema ${declaredSchema}`);
    await client.query(`set search_path = ${declaredSchema}, public`);
    await client.query(await creationOf(database.ownerUrl, entities));
    const migrated = await factsOf(client, 'public');
    const declared = await factsOf(client, declaredSchema);
    const subjects = new Set([...(part ? [] : migrated.keys()), ...declared.keys()]);
    return [...subjects].flatMap((subject) => {
      const [found, wanted] = [migrated.get(subject), declared.get(subject)];
      if (found === wanted) return [];
      return [
        `${subject} is ${found ?? 'absent'} in the database and ${wanted ?? 'absent'} in the entity.`,
      ];
    });
  } finally {
    await client.end();
    await database.drop();
  }
};

/** Returns the statements with which MikroORM creates the entities' tables. */
const creationOf = async (url: string, entities: readonly object[]): Promise<string> => {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [...entities] as never,
    schemaGenerator: { disableForeignKeys: false },
  });
  try {
    return await orm.schema.getCreateSchemaSQL({ wrap: false });
  } finally {
    await orm.close(true);
  }
};

/**
 * Reads what PostgreSQL's catalog says of the tables of one schema: by subject, such as `The column
 * orders.id`, the text that describes it. Partitions, views and the list of migrations are omitted; a
 * partitioned table counts as one table.
 */
const factsOf = async (client: Client, schema: string): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ subject: string; text: string }>(factsSql, [schema]);
  return new Map(rows.map(({ subject, text }) => [subject, text]));
};

/** A default from a sequence is `numbered`. */
const factsSql = `
  with t as (
    select c.oid, c.relname as name from pg_class c
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations'
  ), a as (
    select t.name, a.*, case
        when a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' then 'numbered'
        else pg_get_expr(d.adbin, d.adrelid) end as written
    from t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  )
  select 'The table ' || name as subject, 'present' as text from t
  union all
  select format('The column %s.%s', name, attname),
    format_type(atttypid, atttypmod) || case when attnotnull then '' else ' or null' end from a
  union all
  select format('The default of %s.%s', name, attname), written from a where written is not null
  union all
  select 'The primary key of ' || t.name, (
      select string_agg(a.attname, ', ' order by k.n)
      from unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum)
  from t join pg_index i on i.indrelid = t.oid and i.indisprimary
  order by subject`;
