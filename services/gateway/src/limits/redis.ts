import type { Telemetry } from '@pto/telemetry';
import { Redis } from 'ioredis';

/** Longer than this, and the answer comes without Redis. */
const commandTimeoutMs = 100;
/** A Redis that says nothing for this long is left: from then on nobody waits for it at all. */
const silentMs = 500;

/**
 * A connection that never makes a request wait: while Redis is unavailable commands fail at once, and it
 * is tried again in the background.
 */
export const openRedis = (url: string, telemetry: Telemetry): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true, // commands of one turn of the event loop share a write
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
