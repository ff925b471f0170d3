import type { Logger } from '@pto/telemetry';
import kafkajs, { type LogEntry } from 'kafkajs';

/**
 * Returns a log creator for kafkajs, which reports each retry as an error: those go to `debug`. A
 * crashed consumer is logged as a warning; one that does not restart ends the process elsewhere.
 */
export const kafkaLog =
  (log: Logger) =>
  ({ namespace, level, log: entry }: LogEntry): void => {
    const { message, timestamp: _, logger: __, ...details } = entry;
    const worth = level === kafkajs.logLevel.ERROR && namespace === 'Consumer' ? 'warn' : 'debug';
    log[worth]({ kafka: { namespace, ...details } }, message);
  };
