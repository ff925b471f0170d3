import { createHash } from 'node:crypto';
import { Failure } from '@pto/errors';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;
/** The limit for all addresses together, as a multiple of the limit for one address. */
const addressesFactor = 20;
/**
 * Maximum number of remembered credentials, which are credentials that passed. A remembered
 * credential is checked even from a throttled address, so that another client cannot lock its owner
 * out. At the maximum all remembered credentials are dropped.
 */
const rememberedMax = 1000;

/**
 * Limits failed sign-ins per client address and for all addresses together. Beyond the limit, only
 * remembered credentials are checked.
 */
export const failedAttempts = (perMinute: number) => {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds });
  const [one, all] = [limiter(perMinute), limiter(perMinute * addressesFactor)];
  const good = new Set<string>();
  const digest = (credential: string) => createHash('sha256').update(credential).digest('base64');

  return {
    /**
     * Rejects a credential that is not remembered, before it is checked, if this address or all
     * addresses together have reached their limit.
     * @throws Failure RATE_LIMITED
     */
    check: async (address: string, credential: string): Promise<void> => {
      if (good.has(digest(credential))) return;
      const states = [
        { state: await one.get(address), points: perMinute },
        { state: await all.get('all'), points: perMinute * addressesFactor },
      ];
      const used = states.find(({ state, points }) => state && state.consumedPoints >= points);
      if (!used?.state) return;
      const retryAfterSeconds = Math.max(1, Math.ceil(used.state.msBeforeNext / 1000));
      throw new Failure('RATE_LIMITED', 'Too many failed sign-ins. Wait, then try again.', {
        retryAfterSeconds,
      });
    },
    failed: async (address: string, credential: string): Promise<void> => {
      good.delete(digest(credential));
      const ignore = (rejected: unknown) => {
        if (!(rejected instanceof RateLimiterRes)) throw rejected;
      };
      await Promise.all([one.consume(address).catch(ignore), all.consume('all').catch(ignore)]);
    },
    passed: (credential: string): void => {
      if (good.size >= rememberedMax) good.clear();
      good.add(digest(credential));
    },
  };
};
