import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationObject } from '@mikro-orm/core';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { connectionOptions, sessionOptions } from '../connections/pool.ts';
import { type OnlineMigration, type Report, runOnline } from './online/online-migration.ts';
import { forOtherRoles } from './other-roles.ts';
import { checkServerVersion } from './server-version.ts';

export type MigrationList = readonly (MigrationObject | OnlineMigration)[];

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
const lockPauseMs = 100;
const tableName = 'migrations';

/**
 * Statement of the owner that revokes the right to write the list of migrations from
 * every other role. A service's role that adds a name would make the next release skip that
 * migration and its grants; a role that removes a name would make that migration run twice.
 */
const protectMigrations = forOtherRoles(
  `g.table_name = '${tableName}' and g.privilege_type <> 'SELECT'`,
  [`revoke insert, update, delete, truncate, references, trigger on ${tableName} from %I`],
);

/**
 * Migrates the database to the newest migration, as its owner. Several replicas may call this at
 * the same time: one migrates, the others wait. All pending migrations up to the next online
 * migration are one transaction; an online migration is one for each step. Afterwards only the owner
 * can write the list of migrations.
 * @param report receives a line for each step of an online migration that begins.
 * @returns the names of the migrations that were run.
 * @throws the error of the failed migration, or of a server that is too old. The failed transaction
 *   changes nothing; those before stay, and the next call continues behind them.
 */
export const migrate = async (
  ownerUrl: string,
  migrations: MigrationList,
  report: Report = () => {},
): Promise<string[]> => {
  const client = new Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options: sessionOptions(),
  });
  client.on('error', () => {}); // a lost connection releases the lock; the migrator then gets an error too
  await client.connect();
  try {
    await checkServerVersion(client);
    await takeLock(client);
    const ran: string[] = [];
    for (const part of partsOf(migrations)) {
      if (!('steps' in part)) ran.push(...(await runInTransaction(ownerUrl, part)));
      else if (await runOnline(client, part, report)) ran.push(part.name);
    }
    await client.query(protectMigrations);
    return ran;
  } finally {
    await client.end();
  }
};

/**
 * Waits for the lock of migrators. A statement that waits would have a snapshot, and the migrator
 * that has the lock could not build an index concurrently before that snapshot ends.
 */
const takeLock = async (client: Client): Promise<void> => {
  const begun = performance.now();
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [lockKey]);
    if (rows[0].locked) return;
    if (performance.now() - begun > lockTimeoutMs)
      throw new Error(`another process has been migrating this database for ${lockTimeoutMs} ms`);
    await sleep(lockPauseMs);
  }
};

/** Returns the list with each run of migrations between online ones as one list. */
const partsOf = (migrations: MigrationList): (MigrationObject[] | OnlineMigration)[] => {
  const parts: (MigrationObject[] | OnlineMigration)[] = [[]];
  for (const migration of migrations) {
    const last = parts.at(-1);
    if ('steps' in migration) parts.push(migration);
    else if (Array.isArray(last)) last.push(migration);
    else parts.push([migration]);
  }
  return parts;
};

const runInTransaction = async (ownerUrl: string, list: MigrationObject[]): Promise<string[]> => {
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
      migrationsList: list,
      tableName,
      snapshot: false,
      silent: true,
      disableForeignKeys: false,
    },
  });
  try {
    return (await orm.migrator.up()).map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
};
