import type { Logger } from '@pto/telemetry';
import kafkajs, { type LogEntry } from 'kafkajs';

/**
 * kafkajs calls each retry an error. What it mends by itself goes to `debug`; a consumer that fell
 * over is worth a warning, and one that does not get up again ends the process elsewhere.
 */
export const kafkaLog =
  (log: Logger) =>
  ({ namespace, level, log: entry }: LogEntry): void => {
    const { message, timestamp: _, logger: __, ...details } = entry;
    const worth = level === kafkajs.logLevel.ERROR && namespace === 'Consumer' ? 'warn' : 'debug';
    log[worth]({ kafka: { namespace, ...details } }, message);
  };
