import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import type { KafkaConfig } from 'kafkajs';
import type { KafkaSettings } from '../settings.ts';

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
