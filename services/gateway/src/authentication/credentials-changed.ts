import { credentialsChanged } from '@pto/access';
import type { Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';

/**
 * Calls `forget` when the operators service reports a changed key or organization through Redis, so
 * that a revocation takes effect immediately. Without Redis, a revocation takes effect when the
 * cached credentials expire, within 5 s.
 */
export const onCredentialsChanged = (
  redis: Redis | null,
  forget: () => void,
  telemetry: Telemetry,
): { stop(): void } => {
  const subscriber = redis?.duplicate({ autoResubscribe: false });
  subscriber?.on('error', () => {}); // the main connection logs the same error
  subscriber?.on('ready', () => {
    subscriber.subscribe(credentialsChanged).catch((err) => {
      telemetry.log.warn(
        { err },
        'cannot subscribe to changes of keys: cached keys stay valid for up to 5 s',
      );
    });
  });
  subscriber?.on('message', forget);
  return { stop: () => subscriber?.disconnect() };
};
