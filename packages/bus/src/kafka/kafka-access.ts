import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import type { KafkaConfig } from 'kafkajs';
import type { KafkaSettings } from '../settings.ts';

/**
 * The brokers, and how they are convinced of us and we of them. A password goes out in the clear
 * only where nothing is said of TLS: that is the network's owner's choice.
 * @throws ConfigError for half a login, or an authority that cannot be read.
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
