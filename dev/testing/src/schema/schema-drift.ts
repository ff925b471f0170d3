import { MikroORM } from '@mikro-orm/postgresql';
import { type MigrationList, migrate } from '@pto/database';
import { Client } from 'pg';
import { testDatabase } from '../test-database.ts';
import { compareTables } from './compare-tables.ts';
import { readTables } from './read-tables.ts';

/** Schema for the entities' tables. The migrated tables are in `public`. */
const declaredSchema = 'declared';

/**
 * Migrates a new database and compares each of its tables with the entities, in both directions:
 * columns, types, nullability, defaults, primary keys and indexes. MikroORM creates the entities'
 * tables in a second schema, so PostgreSQL itself writes both sides in one form. Foreign keys, checks
 * and grants are not compared: the migrations alone declare them.
 * @returns one sentence for each difference.
 */
export const schemaDrift = async (
  migrations: MigrationList,
  entities: readonly object[],
): Promise<string[]> => {
  const database = await testDatabase('drift');
  const client = new Client({ connectionString: database.ownerUrl });
  try {
    await migrate(database.ownerUrl, migrations);
    await client.connect();
    await client.query(`create schema ${declaredSchema}`);
    await client.query(`set search_path = ${declaredSchema}, public`);
    await client.query(await creationOf(database.ownerUrl, entities));
    return compareTables(
      await readTables(client, 'public'),
      await readTables(client, declaredSchema),
    );
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
