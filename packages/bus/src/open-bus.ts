import { ConfigError } from '@pto/config';
import type { Telemetry } from '@pto/telemetry';
import type { Bus } from './bus.ts';
import { openKafkaBus } from './kafka/kafka-bus.ts';
import { openPostgresBus } from './postgres/postgres-bus.ts';
import type { BusSettings } from './settings.ts';
import { withTopicPrefix } from './topic-prefix.ts';

/**
 * Opens the bus on Kafka if brokers are configured, otherwise the bus on PostgreSQL.
 * @throws ConfigError if neither is configured or the login to Kafka is incomplete; Failure
 *   SERVICE_UNAVAILABLE if the bus is unavailable.
 */
export const openBus = async (settings: BusSettings, telemetry: Telemetry): Promise<Bus> => {
  if (settings.kafkaBrokers.length > 0)
    return withTopicPrefix(await openKafkaBus(settings, telemetry), settings.kafkaTopicPrefix);
  if (settings.busDatabaseUrl !== '') return openPostgresBus(settings, telemetry);
  throw new ConfigError(['KAFKA_BROKERS or BUS_DATABASE_URL is required']);
};
