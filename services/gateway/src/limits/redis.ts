import type { Telemetry } from '@pto/telemetry';
import { Redis } from 'ioredis';

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
 * unavailable, commands fail immediately and the connection is retried in the background.
 */
export const openRedis = (url: string, telemetry: Telemetry): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silentMs,
    connectTimeout: 2000,
    retryStrategy: (tries) => Math.min(2000, 50 * 2 ** Math.min(tries, 6)),
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
  return redis;
};
