import { credentialsChanged } from '@pto/access';
import type { Telemetry } from '@pto/telemetry';
import { Redis } from 'ioredis';

/** Timeout of a message, and time without a response after which the connection is renewed, in ms. */
const [timeoutMs, silentMs] = [500, 1000];

/** Connects to Redis. Without a connection a command fails at once. @param url empty: null. */
export const openRedis = (url: string): Redis | null => {
  if (url === '') return null;
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    socketTimeout: silentMs,
  });
  redis.on('error', () => {}); // each command that fails is logged
  return redis;
};

/**
 * Returns how the gateways learn through Redis that a key or an organization was changed. Without a
 * message, a gateway reads a changed key within 5 s.
 * @param redis null: no gateway is notified.
 */
export const notifyGateways =
  (redis: Redis | null, { log }: Telemetry): (() => void) =>
  () => {
    redis?.publish(credentialsChanged, '').catch((err) => {
      log.warn(
        { err },
        'cannot notify the gateways of a changed key: cached keys stay valid for up to 5 s',
      );
    });
  };
