import type { MigrationObject } from '@mikro-orm/core';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { connectionOptions, sessionOptions } from '../connections/pool.ts';
import { checkServerVersion } from './server-version.ts';

export type MigrationList = readonly MigrationObject[];

/**
 * Returns a migration that runs the given SQL statements. The migration's name is time and purpose,
 * e.g. `20261121120000_orders`. After its release, a migration is never edited.
 */
export const sqlMigration = (name: string, statements: readonly string[]): MigrationObject => ({
  name,
  class: class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  },
});

/**
 * Key of the advisory lock that admits one migrator at a time per database. Any number, but the
 * same in all migrators.
 */
const lockKey = 7_302_911;
const lockTimeoutMs = 60_000;
const tableName = 'migrations';

/**
 * Statement of the owner that revokes the right to write the list of migrations from
 * every other role. A service's role that adds a name would make the next release skip that
 * migration and its grants; a role that removes a name would make that migration run twice.
 */
const protectMigrations = `do $$
  declare grantee text;
  begin
    for grantee in select distinct g.grantee from information_schema.role_table_grants g
      where g.table_name = '${tableName}' and g.grantee <> current_user and g.privilege_type <> 'SELECT'
    loop
      execute format(
        'revoke insert, update, delete, truncate, references, trigger on ${tableName} from %I', grantee);
    end loop;
  end $$`;

/**
 * Migrates the database to the newest migration, as its owner. Several replicas may call this at
 * the same time: one migrates, the others wait. All pending migrations are one transaction.
 * Afterwards only the owner can write the list of migrations.
 * @returns the names of the migrations that were run.
 * @throws the error of the failed migration, or of a server that is too old; nothing is changed then.
 */
export const migrate = async (ownerUrl: string, migrations: MigrationList): Promise<string[]> => {
  const lock = new Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 5000,
    options: sessionOptions(),
  });
  lock.on('error', () => {}); // a lost connection releases the lock; the migrator then gets an error too
  await lock.connect();
  try {
    await checkServerVersion(lock);
    await lock.query(`set statement_timeout = ${lockTimeoutMs}`);
    await lock.query('select pg_advisory_lock($1)', [lockKey]);
    const orm = new MikroORM({
      clientUrl: ownerUrl,
      pool: { min: 0, max: 2 },
      driverOptions: connectionOptions({
        url: ownerUrl,
        statementTimeoutMs: 600_000,
        lockTimeoutMs: 10_000,
      }),
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        migrationsList: [...migrations],
        tableName,
        snapshot: false,
        silent: true,
        disableForeignKeys: false,
      },
    });
    try {
      const ran = await orm.migrator.up();
      await lock.query(protectMigrations);
      return ran.map((migration) => migration.name);
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
};
