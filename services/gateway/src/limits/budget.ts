import { Failure } from '@pto/errors';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';
import { createSharedWindow } from './shared-window.ts';
import { budgetWindowMs, createSlidingWindow, type Usage } from './sliding-window.ts';

/** What is left of a budget, for the `X-RateLimit-` headers (decision 46). */
export interface Remaining {
  readonly limit: number;
  readonly remaining: number;
  /** Time at which the budget is full again if no request follows, in Unix seconds, rounded up. */
  readonly reset: number;
  /** Whole seconds until the next request is granted: 1 to 60 (decision 57). */
  readonly retryAfterSeconds: number;
}

/** Maximum number of budgets in memory, which are used while Redis is unavailable. */
const namesMax = 50_000;

/**
 * Creates budgets of requests per 60 s. Redis stores one budget for all replicas; while Redis is
 * unavailable, each replica uses its share of the limit in memory (decision 49). Each of the two
 * stores grants at most its limit in any 60 s (decision 57). The stores do not share their counts:
 * within 60 s of a change from one store to the other, both may grant their limit.
 */
export const createBudgets = (options: {
  redis: Redis | null;
  /**
   * Number of replicas, by which the limit is divided while Redis is unavailable or not configured.
   */
  replicas: number;
  keyPrefix: string;
  telemetry: Telemetry;
}) => {
  const { redis, replicas, keyPrefix } = options;
  const shared = redis && createSharedWindow(redis, `${keyPrefix}:budget`);
  const own = createSlidingWindow({ windowMs: budgetWindowMs, namesMax });
  const fallbacks = new Counter({
    name: `${keyPrefix}_limiter_fallbacks_total`,
    help: 'Requests counted in memory because Redis was unavailable',
    registers: [options.telemetry.metrics],
  });
  const share = (limit: number): number => Math.max(1, Math.floor(limit / replicas));

  const use = async (name: string, limit: number, cost: 0 | 1): Promise<Usage & Remaining> => {
    if (shared) {
      try {
        return withHeaders(await shared.use(name, limit, cost), limit, limit);
      } catch {
        if (cost === 1) fallbacks.inc();
      }
    }
    return withHeaders(own.use(name, share(limit), cost, performance.now()), limit, share(limit));
  };

  return {
    /**
     * Takes one request from a budget.
     * @returns what is left, and whether the request was granted.
     */
    spend: async (name: string, limit: number): Promise<Remaining & { allowed: boolean }> => {
      const { granted, ...left } = await use(name, limit, 1);
      return { ...left, allowed: granted };
    },
    /** Returns what is left of a budget without spending. */
    look: (name: string, limit: number): Promise<Remaining> => use(name, limit, 0),
  };
};

const withHeaders = (usage: Usage, limit: number, points: number): Usage & Remaining => ({
  ...usage,
  limit,
  remaining: Math.max(0, points - usage.used),
  reset: Math.ceil((Date.now() + usage.fullInMs) / 1000),
  retryAfterSeconds: Math.min(budgetWindowMs / 1000, Math.max(1, Math.ceil(usage.nextInMs / 1000))),
});

export type Budgets = ReturnType<typeof createBudgets>;

/** Returns the failure of a request beyond a budget (decision 47). */
export const rateLimited = (
  { retryAfterSeconds }: Pick<Remaining, 'retryAfterSeconds'>,
  message = 'Too many requests; wait a moment.',
): Failure => new Failure('RATE_LIMITED', message, { retryAfterSeconds });
