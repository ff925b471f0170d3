import { credentialsChanged } from '@pto/access';
import type { Telemetry } from '@pto/telemetry';
import { Redis } from 'ioredis';

/** Timeout of a message, and time without a response after which the connection is renewed, in ms. */
const [timeoutMs, silentMs] = [500, 1000];

/**
 * Connects to the Redis through which the gateways learn that a key or an organization was changed.
 * Without a message, a gateway reads a changed key within 5 s.
 * @param url empty: no gateway is notified.
 */
export const notifyGateways = (
  url: string,
  { log }: Telemetry,
): { changed(): void; stop(): void } => {
  if (url === '') return { changed: () => {}, stop: () => {} };
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    socketTimeout: silentMs,
  });
  redis.on('error', () => {}); // each message that is not sent is logged
  return {
    changed: () => {
      redis.publish(credentialsChanged, '').catch((err) => {
        log.warn(
          { err },
          'cannot notify the gateways of a changed key: cached keys stay valid for up to 5 s',
        );
      });
    },
    stop: () => redis.disconnect(),
  };
};
