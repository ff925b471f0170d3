import type { Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';

const channel = 'gateway:credentials-changed';

/**
 * Notifies all replicas through Redis that a key or an organization was changed. Each replica drops
 * its cached credentials, so a revocation takes effect immediately. Without Redis, a revocation
 * takes effect in other replicas when their cached credentials expire, within 5 s.
 */
export const shareChanges = (
  redis: Redis | null,
  forget: () => void,
  telemetry: Telemetry,
): { changed(): void; stop(): void } => {
  const subscriber = redis?.duplicate({ autoResubscribe: false });
  subscriber?.on('error', () => {}); // the main connection logs the same error
  subscriber?.on('ready', () => {
    subscriber.subscribe(channel).catch((err) => {
      telemetry.log.warn(
        { err },
        'cannot subscribe to changes of keys: cached keys stay valid for up to 5 s',
      );
    });
  });
  subscriber?.on('message', forget);
  return {
    changed: () => {
      forget();
      redis?.publish(channel, '').catch((err) => {
        telemetry.log.debug(
          { err },
          'cannot notify other replicas of a changed key: their cached keys stay valid for up to 5 s',
        );
      });
    },
    stop: () => subscriber?.disconnect(),
  };
};
