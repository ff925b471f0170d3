import { durationMs, list, type Settings, url } from '@pto/config';

const postgres = ['postgres', 'postgresql'];

/** What every service on the bus declares. One of the first two must be set. */
export const busSettings = {
  kafkaBrokers: list('KAFKA_BROKERS', (broker) => broker, { fallback: [] }),
  /** The bus on PostgreSQL, used where there are no brokers. */
  busDatabaseUrl: url('BUS_DATABASE_URL', postgres, { fallback: '' }),
  /** Its owner's URL; when set, the service migrates that database as it starts. */
  busMigrationDatabaseUrl: url('BUS_MIGRATION_DATABASE_URL', postgres, { fallback: '' }),
  /** How long the bus on PostgreSQL keeps what every group has consumed. */
  busRetentionMs: durationMs('BUS_RETENTION', { fallback: 7 * 86_400_000 }),
};

export type BusSettings = Settings<typeof busSettings>;
