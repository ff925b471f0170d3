import type { Logger } from '@pto/telemetry';
import kafkajs, { type LogEntry } from 'kafkajs';

/**
 * Returns the function by which kafkajs writes its log. An error of a consumer becomes a warning;
 * all other lines get the level `debug`, because kafkajs reports each retry as an error. If a
 * crashed consumer does not restart, the bus's `crashed` resolves and the process ends.
 */
export const kafkaLog =
  (log: Logger) =>
  ({ namespace, level, log: entry }: LogEntry): void => {
    const { message, timestamp: _, logger: __, ...details } = entry;
    const worth = level === kafkajs.logLevel.ERROR && namespace === 'Consumer' ? 'warn' : 'debug';
    log[worth]({ kafka: { namespace, ...details } }, message);
  };
