import type { Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';

const channel = 'gateway:credentials-changed';

/**
 * Notifies all replicas at once that a key or an organization was changed, so that a revocation
 * need not wait until their cached credentials expire. Without Redis the revocation waits for that:
 * a few seconds.
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
      telemetry.log.debug({ err }, 'changes of keys are not heard of at once');
    });
  });
  subscriber?.on('message', forget);
  return {
    changed: () => {
      forget();
      redis?.publish(channel, '').catch((err) => {
        telemetry.log.debug({ err }, 'a change of keys was not told to other replicas at once');
      });
    },
    stop: () => subscriber?.disconnect(),
  };
};
