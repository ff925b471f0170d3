import { MikroORM } from '@mikro-orm/postgresql';
import { type MigrationList, migrate } from '@pto/database';
import { Client } from 'pg';
import { testDatabase } from '../test-database.ts';
import { compareTables } from './compare-tables.ts';
import { readTables, type Table } from './read-tables.ts';

/** Schema for the entities' tables. The migrated tables are in `public`. */
const declaredSchema = 'declared';

/**
 * Migrates a new database and compares each of its tables with the entities, in both directions:
 * columns, types, nullability, defaults, primary keys and indexes. MikroORM creates the entities'
 * tables in a second schema, so PostgreSQL itself writes both sides in one form. Foreign keys, checks
 * and grants are not compared: the migrations alone declare them.
 * @param part whether the entities are only a part of the database: tables, columns and indexes
 *   without a declaration are not compared.
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
    const migrated = await readTables(client, 'public');
    const declared = await readTables(client, declaredSchema);
    return compareTables(part ? declaredPartOf(migrated, declared) : migrated, declared);
  } finally {
    await client.end();
    await database.drop();
  }
};

const declaredPartOf = (
  migrated: ReadonlyMap<string, Table>,
  declared: ReadonlyMap<string, Table>,
): ReadonlyMap<string, Table> =>
  new Map(
    [...migrated].flatMap(([name, table]) => {
      const entity = declared.get(name);
      if (!entity) return [];
      const names = new Set(entity.columns.map((column) => column.name));
      const columns = table.columns.filter((column) => names.has(column.name));
      return [[name, { ...table, columns, indexes: entity.indexes }]];
    }),
  );

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
