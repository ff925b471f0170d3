import type { Logger } from '@pto/telemetry';
import kafkajs, { type LogEntry } from 'kafkajs';

/**
 * Returns a log creator for kafkajs. kafkajs reports each retry as an error; those lines get the
 * level `debug`. A crashed consumer is logged as a warning; if it does not restart, the bus's
 * `crashed` resolves and the process ends.
 */
export const kafkaLog =
  (log: Logger) =>
  ({ namespace, level, log: entry }: LogEntry): void => {
    const { message, timestamp: _, logger: __, ...details } = entry;
    const worth = level === kafkajs.logLevel.ERROR && namespace === 'Consumer' ? 'warn' : 'debug';
    log[worth]({ kafka: { namespace, ...details } }, message);
  };
