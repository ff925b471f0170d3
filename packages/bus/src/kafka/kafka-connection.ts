import type { Telemetry } from '@pto/telemetry';
import kafkajs from 'kafkajs';
import { kafkaLog } from './kafka-log.ts';

/** kafkajs with deadlines on everything it waits for. */
export const connectKafka = (brokers: readonly string[], telemetry: Telemetry): kafkajs.Kafka =>
  new kafkajs.Kafka({
    clientId: telemetry.service,
    brokers: [...brokers],
    connectionTimeout: 3000,
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: 6 },
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => kafkaLog(telemetry.log),
  });
