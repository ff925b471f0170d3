import { createHash } from 'node:crypto';
import { budgetWindowMs, createSlidingWindow } from '@pto/concurrency';
import { Failure } from '@pto/errors';

/** The limit for all addresses together, as a multiple of the limit for one address. */
const addressesFactor = 20;
const addressesMax = 50_000;
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
  const window = createSlidingWindow({ windowMs: budgetWindowMs, namesMax: addressesMax });
  /** Returns the wait until the address and all addresses together are below their limits. */
  const use = (address: string, cost: 0 | 1): number =>
    Math.max(
      window.use(address, perMinute, cost, performance.now()).nextInMs,
      window.use('all', perMinute * addressesFactor, cost, performance.now()).nextInMs,
    );
  const good = new Set<string>();
  const digest = (credential: string) => createHash('sha256').update(credential).digest('base64');

  return {
    /**
     * Rejects a credential that is not remembered, before it is checked, if this address or all
     * addresses together have reached their limit.
     * @throws Failure RATE_LIMITED
     */
    check: (address: string, credential: string): void => {
      if (good.has(digest(credential))) return;
      const waitMs = use(address, 0);
      if (waitMs > 0)
        throw new Failure('RATE_LIMITED', 'Too many failed sign-ins. Wait, then try again.', {
          retryAfterSeconds: Math.ceil(waitMs / 1000),
        });
    },
    failed: (address: string, credential: string): void => {
      good.delete(digest(credential));
      use(address, 1);
    },
    passed: (credential: string): void => {
      if (good.size >= rememberedMax) good.clear();
      good.add(digest(credential));
    },
  };
};
