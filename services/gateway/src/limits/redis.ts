import type { Telemetry } from '@pto/telemetry';
import { type Command, Redis } from 'ioredis';

/**
 * Timeout of a command in ms. After it the command fails, and the request continues without Redis.
 */
const commandTimeoutMs = 100;
/**
 * Time without a response from Redis after which the connection is closed, in ms. Until the
 * connection is open again, commands fail immediately.
 */
const silentMs = 500;

/**
 * Opens a connection to Redis that delays a request by at most the command timeout. While Redis is
 * unavailable, commands fail immediately and the connection is retried in the background. A demoted
 * master (`READONLY`) gets no further command: the connection is opened again, to the new master.
 */
export const openRedis = (url: string, telemetry: Telemetry): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silentMs,
    connectTimeout: 2000,
    retryStrategy: (tries) => Math.min(2000, 50 * 2 ** Math.min(tries, 6)),
    reconnectOnError: (error) => codeOf(error) === 'READONLY',
  });
  let unavailable = false;
  redis.on('error', (err) => {
    if (!unavailable)
      telemetry.log.warn({ err }, 'Redis is unavailable: limits are kept in memory');
    unavailable = true;
  });
  redis.on('ready', () => {
    if (unavailable) telemetry.log.info('Redis is available again');
    unavailable = false;
  });
  observeRejections(redis, telemetry);
  return redis;
};

/** Returns the first word of an error that Redis has sent: `READONLY`, `OOM`, `NOPERM`, … */
const codeOf = ({ name, message }: Error): string | undefined =>
  name === 'ReplyError' ? /^[A-Z]+/.exec(message)?.[0] : undefined;

/**
 * Logs when Redis begins to reject a command, when the reason changes, and when Redis accepts the
 * command again.
 */
const observeRejections = (redis: Redis, { log }: Telemetry): void => {
  /** The reason by the command's name. */
  const rejected = new Map<string, string>();
  const observe = (command: string, error?: Error): void => {
    const code = error && codeOf(error);
    // not a state: the script was not loaded yet, and ioredis sends it
    if (code === 'NOSCRIPT' || code === rejected.get(command)) return;
    if (code !== undefined) {
      rejected.set(command, code);
      log.warn({ command, code }, 'Redis rejects a command: limits are kept in memory');
    } else if (!error && rejected.delete(command))
      log.info({ command }, 'Redis accepts the command again');
  };
  const { sendCommand } = redis;
  redis.sendCommand = (command: Command, ...more) => {
    const { name } = command;
    // ioredis sends `client setinfo` at each connect, which older versions of Redis do not know
    if (name !== 'client')
      command.promise.then(
        () => observe(name),
        (error) => observe(name, error),
      );
    return sendCommand.call(redis, command, ...more);
  };
};
