import type { Telemetry } from '@pto/telemetry';
import kafkajs from 'kafkajs';
import type { KafkaSettings } from '../settings.ts';
import { kafkaAccess } from './kafka-access.ts';
import { kafkaLog } from './kafka-log.ts';
import './quiet-requests.ts';
import './steady-heartbeats.ts';

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
