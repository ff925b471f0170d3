import { durationMs, flag, list, oneOf, type Settings, text, url } from '@pto/config';

const postgres = ['postgres', 'postgresql'];

const parsePrefix = (t: string): string => {
  if (/^[\w.-]{1,60}$/.test(t)) return t;
  throw new Error('expected up to 60 letters, digits, dots, underscores and hyphens');
};

/** The settings of the connection to Kafka. */
export const kafkaSettings = {
  kafkaBrokers: list('KAFKA_BROKERS', (broker) => broker, { fallback: [] }),
  /** Whether to use TLS to the brokers. A CA file also enables TLS. */
  kafkaTls: flag('KAFKA_TLS', { fallback: false }),
  /**
   * PEM file of the brokers' certificate authority. If empty, Node's default CA certificates are
   * used.
   */
  kafkaCaFile: text('KAFKA_CA_FILE', { fallback: '' }),
  kafkaSaslMechanism: oneOf(
    'KAFKA_SASL_MECHANISM',
    ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    { fallback: 'none' },
  ),
  kafkaUsername: text('KAFKA_USERNAME', { fallback: '' }),
  kafkaPassword: text('KAFKA_PASSWORD', { fallback: '', secret: true }),
  /**
   * Prefix of all topics and groups in Kafka, such as `north.`: each cell that shares a Kafka cluster
   * has its own.
   */
  kafkaTopicPrefix: { ...text('KAFKA_TOPIC_PREFIX', { fallback: '' }), parse: parsePrefix },
};

export type KafkaSettings = Settings<typeof kafkaSettings>;

/** Settings of every service that uses the bus. KAFKA_BROKERS or BUS_DATABASE_URL must be set. */
export const busSettings = {
  ...kafkaSettings,
  /** URL of the bus on PostgreSQL, used if no brokers are set. */
  busDatabaseUrl: url('BUS_DATABASE_URL', postgres, { fallback: '' }),
  /**
   * URL of the bus's database with the role that owns it. If set, the service migrates the bus's
   * database when it starts.
   */
  busMigrationDatabaseUrl: url('BUS_MIGRATION_DATABASE_URL', postgres, { fallback: '' }),
  /** How long the bus on PostgreSQL retains messages that every group has handled. */
  busRetentionMs: durationMs('BUS_RETENTION', { fallback: 7 * 86_400_000 }),
};

export type BusSettings = Settings<typeof busSettings>;
