import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import type { Logger, Telemetry } from '@pto/telemetry';
import kafkajs, { type KafkaConfig, type LogEntry } from 'kafkajs';
import type { KafkaSettings } from '../settings.ts';
import './kafkajs-fixes.ts';

/**
 * Age at which clients read the cluster's metadata again. Until then a consumer does not read
 * partitions that were added, although a process that started since sends to them; kafkajs's
 * default is five minutes.
 */
export const metadataMaxAgeMs = 10_000;

/** Creates a kafkajs client with deadlines for connections and requests. */
export const connectKafka = (settings: KafkaSettings, telemetry: Telemetry): kafkajs.Kafka =>
  new kafkajs.Kafka({
    clientId: telemetry.service,
    ...kafkaAccess(settings),
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: 6 },
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => kafkaLog(telemetry.log),
  });

/**
 * Returns the brokers, TLS and login settings of kafkajs. Without TLS settings the connection is
 * not encrypted, and a password is sent in clear text.
 * @throws ConfigError for an incomplete login, or a CA file that cannot be read.
 */
export const kafkaAccess = (
  settings: KafkaSettings,
): Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'> => {
  const {
    kafkaSaslMechanism: mechanism,
    kafkaUsername: username,
    kafkaPassword: password,
  } = settings;
  const isComplete = username !== '' && password !== '';
  if (mechanism === 'none' ? username !== '' || password !== '' : !isComplete)
    throw new ConfigError(['KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD go together']);
  return {
    brokers: [...settings.kafkaBrokers],
    ssl:
      settings.kafkaCaFile === ''
        ? settings.kafkaTls
        : { ca: [readAuthority(settings.kafkaCaFile)] },
    ...(mechanism !== 'none' && { sasl: { mechanism, username, password } as never }),
  };
};

const readAuthority = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`KAFKA_CA_FILE: ${(error as Error).message}`]);
  }
};

/**
 * Returns the function by which kafkajs writes its log. An error of a consumer becomes a warning;
 * all other lines get the level `debug`, because kafkajs reports each retry as an error. If a
 * crashed consumer does not restart, the bus's `crashed` resolves and the process ends.
 */
const kafkaLog =
  (log: Logger) =>
  ({ namespace, level, log: entry }: LogEntry): void => {
    const { message, timestamp: _, logger: __, ...details } = entry;
    const worth = level === kafkajs.logLevel.ERROR && namespace === 'Consumer' ? 'warn' : 'debug';
    log[worth]({ kafka: { namespace, ...details } }, message);
  };
