import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationObject } from '@mikro-orm/core';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { connectionOptions } from '../connections/pool.ts';
import { sqlState } from '../sql-state.ts';
import { forOtherRoles } from './other-roles.ts';
import { checkServerVersion } from './server-version.ts';

export type MigrationList = readonly MigrationObject[];

/**
 * Returns a migration that runs the given SQL statements in one transaction. The migration's name is
 * time and purpose, e.g. `20261121120000_orders`. After its release, a migration is never edited.
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
 * Returns a migration as `sqlMigration` does, for locks that partners' statements wait for: changes of
 * the catalog that read no rows. A statement that takes longer than 5 s is canceled.
 */
export const shortMigration = (name: string, statements: readonly string[]): MigrationObject =>
  sqlMigration(name, ["set local statement_timeout = '5s'", ...statements]);

/**
 * Returns a migration of a large table beside partners' requests: each statement runs by itself,
 * outside of a transaction and without a limit of time. Only for statements whose locks no partner's
 * statement waits for: `create index concurrently`, `validate constraint`, a `do` that fills rows and
 * commits each batch. All of them run again after an interruption, so an index is dropped first: it
 * may be incomplete.
 */
export const longMigration = (name: string, statements: readonly string[]): MigrationObject => ({
  name,
  class: class extends Migration {
    override isTransactional(): boolean {
      return false;
    }
    override up(): void {
      const limits = ['statement_timeout', 'lock_timeout'];
      for (const limit of limits) this.addSql(`set ${limit} = 0`);
      for (const statement of statements) this.addSql(statement);
      for (const limit of limits) this.addSql(`reset ${limit}`);
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

/** Other statements queue behind a statement that waits for a table's lock, so it waits briefly. */
const tableLockMs = 300;
const triesMs = 60_000;
const pauseMs = 1000;

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
 * the same time: one migrates, the others wait. One that does not get a table's lock is tried again
 * each second for a minute. Afterwards only the owner can write the list of migrations.
 * @param report receives the name of each migration that begins.
 * @returns the names of the migrations that were run.
 * @throws the error of the failed migration, or of a server that is too old. The failed transaction
 *   changes nothing; those before stay, and the next call continues behind them.
 */
export const migrate = async (
  ownerUrl: string,
  migrations: MigrationList,
  report: (name: string) => void = () => {},
): Promise<string[]> => {
  const orm = openMigrator(ownerUrl, migrations);
  const ran: string[] = [];
  orm.migrator.on('migrating', ({ name }) => report(name));
  orm.migrator.on('migrated', ({ name }) => void ran.push(name));
  const run = <Row>(text: string) => orm.em.getConnection().execute<Row[]>(text);
  try {
    await checkServerVersion(run);
    await takeLock(run);
    await withLockRetries(() => orm.migrator.up());
    await run(protectMigrations);
    return ran;
  } finally {
    await orm.close(true);
  }
};

type Run = <Row>(text: string) => Promise<Row[]>;

/**
 * Opens the migrator with one connection, which has the lock. So a statement that goes on in the
 * server after its migrator was killed ends before another migrator begins.
 */
const openMigrator = (ownerUrl: string, migrations: MigrationList) =>
  new MikroORM({
    clientUrl: ownerUrl,
    pool: { min: 0, max: 1 },
    driverOptions: {
      ...connectionOptions({
        url: ownerUrl,
        statementTimeoutMs: 600_000,
        lockTimeoutMs: tableLockMs,
      }),
      query_timeout: 0, // a long migration has no limit
    },
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      migrationsList: [...migrations],
      tableName,
      allOrNothing: false,
      snapshot: false,
      silent: true,
      disableForeignKeys: false,
    },
  });

/**
 * Waits for the lock of migrators. A statement that waits would have a snapshot, and the migrator
 * that has the lock could not build an index concurrently before that snapshot ends.
 */
const takeLock = async (run: Run): Promise<void> => {
  const begun = performance.now();
  for (;;) {
    const [row] = await run<{ locked: boolean }>(
      `select pg_try_advisory_lock(${lockKey}) as locked`,
    );
    if (row!.locked) return;
    if (performance.now() - begun > lockTimeoutMs)
      throw new Error(`another process has been migrating this database for ${lockTimeoutMs} ms`);
    await sleep(lockPauseMs);
  }
};

const withLockRetries = async (work: () => Promise<unknown>): Promise<void> => {
  for (const begun = performance.now(); ; await sleep(pauseMs)) {
    try {
      await work();
      return;
    } catch (error) {
      const isLocked = ['55P03', '40P01'].includes(sqlState(error) ?? '');
      if (!isLocked || performance.now() - begun > triesMs) throw error;
    }
  }
};
