import { ConfigError, type Settings, url } from '@pto/config';
import { once } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { type MigrationList, migrate } from './migrate.ts';
import { provision } from './provision.ts';

const postgres = ['postgres', 'postgresql'];

export const settings = {
  ownerUrl: url('MIGRATION_DATABASE_URL', postgres),
  /** If set, the database and its roles are created first, with the passwords in the other URLs. */
  adminUrl: url('ADMIN_DATABASE_URL', postgres, { fallback: '' }),
  serviceUrl: url('DATABASE_URL', postgres, { fallback: '' }),
  readerUrl: url('READER_DATABASE_URL', postgres, { fallback: '' }),
  /** URL of the operators service's role; only for the database `access`. */
  operatorsUrl: url('OPERATORS_DATABASE_URL', postgres, { fallback: '' }),
};

/**
 * Runs a process that migrates a service's database to the newest migration and exits. An older
 * version of the service may run at the same time. A lock in `migrate` admits one migrator at a
 * time.
 */
export const migrateOnce = (service: string, migrations: MigrationList): Promise<void> =>
  once(`${service}-migrate`, settings, (given, telemetry) =>
    migrateGiven(given, migrations, telemetry),
  );

/** Migrates as `migrateOnce` does, inside a process that has more to do. */
export const migrateGiven = async (
  given: Settings<typeof settings>,
  migrations: MigrationList,
  { log }: Pick<Telemetry, 'log'>,
): Promise<void> => {
  if (given.adminUrl !== '') await makeDatabase(given);
  const ran = await migrate(given.ownerUrl, migrations, (step) => log.info({ step }, 'migrating'));
  log.info({ migrations: ran }, 'migrated');
};

const makeDatabase = async (given: Settings<typeof settings>): Promise<void> => {
  const passwordOf = (text: string) => decodeURIComponent(new URL(text).password);

  if (given.serviceUrl === '' || given.readerUrl === '')
    throw new ConfigError([
      'ADMIN_DATABASE_URL needs DATABASE_URL and READER_DATABASE_URL beside it',
    ]);
  await provision(given.adminUrl, new URL(given.ownerUrl).pathname.slice(1), {
    ownerPassword: passwordOf(given.ownerUrl),
    servicePassword: passwordOf(given.serviceUrl),
    readerPassword: passwordOf(given.readerUrl),
    ...(given.operatorsUrl !== '' && { operatorsPassword: passwordOf(given.operatorsUrl) }),
  });
};
