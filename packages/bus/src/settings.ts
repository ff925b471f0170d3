import { durationMs, flag, list, oneOf, type Settings, text, url } from '@pto/config';

const postgres = ['postgres', 'postgresql'];

/** The settings of the connection to Kafka. */
export const kafkaSettings = {
  kafkaBrokers: list('KAFKA_BROKERS', (broker) => broker, { fallback: [] }),
  /** TLS to the brokers; also where a certificate authority is named. */
  kafkaTls: flag('KAFKA_TLS', { fallback: false }),
  /** PEM of the brokers' own authority; empty: those that Node knows. */
  kafkaCaFile: text('KAFKA_CA_FILE', { fallback: '' }),
  kafkaSaslMechanism: oneOf(
    'KAFKA_SASL_MECHANISM',
    ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    { fallback: 'none' },
  ),
  kafkaUsername: text('KAFKA_USERNAME', { fallback: '' }),
  kafkaPassword: text('KAFKA_PASSWORD', { fallback: '', secret: true }),
};

export type KafkaSettings = Settings<typeof kafkaSettings>;

/** What every service on the bus declares. KAFKA_BROKERS or BUS_DATABASE_URL must be set. */
export const busSettings = {
  ...kafkaSettings,
  /** The bus on PostgreSQL, used where there are no brokers. */
  busDatabaseUrl: url('BUS_DATABASE_URL', postgres, { fallback: '' }),
  /** Its owner's URL; when set, the service migrates that database as it starts. */
  busMigrationDatabaseUrl: url('BUS_MIGRATION_DATABASE_URL', postgres, { fallback: '' }),
  /** How long the bus on PostgreSQL keeps what every group has consumed. */
  busRetentionMs: durationMs('BUS_RETENTION', { fallback: 7 * 86_400_000 }),
};

export type BusSettings = Settings<typeof busSettings>;
