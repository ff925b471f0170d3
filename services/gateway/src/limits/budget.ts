import { Failure } from '@pto/errors';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';
import {
  type IRateLimiterOptions,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

/** What is left of a budget, for the `X-RateLimit-` headers (decision 46). */
export interface Remaining {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

const windowSeconds = 60;

type Limiter = RateLimiterMemory | RateLimiterRedis;

/**
 * Budgets per minute, one for all replicas in Redis; while Redis is away, each replica's own share
 * in memory (decision 49). One limiter per size of limit, made when it is first needed.
 *
 * The window is fixed, not sliding: it opens with a key's first request and ends 60 s later,
 * however much was refused in it. So a limit of 600 means 600 in a window, and a burst around its
 * end can be twice that within a few seconds: 600 just before and 600 just after. The same holds
 * once for each time that Redis goes or comes back, or that the operator changes the limit: the
 * count begins anew. Over any longer time it is 600 a minute.
 */
export const createBudgets = (options: {
  redis: Redis | null;
  /** Among how many replicas a limit is divided while Redis is away, or where there is none. */
  replicas: number;
  keyPrefix: string;
  telemetry: Telemetry;
}) => {
  const { redis, replicas, keyPrefix } = options;
  const limiters = new Map<number, Limiter>();
  const fallbacks = new Counter({
    name: `${keyPrefix}_limiter_fallbacks_total`,
    help: 'Requests whose budget was kept in memory because Redis was away',
    registers: [options.telemetry.metrics],
  });

  const limiterOf = (limit: number): Limiter => {
    const known = limiters.get(limit);
    if (known) return known;
    const common = { keyPrefix: `${keyPrefix}:${limit}`, duration: windowSeconds };
    const share = Math.max(1, Math.floor(limit / replicas));
    const made = redis
      ? new RateLimiterRedis({
          ...common,
          points: limit,
          storeClient: redis,
          insuranceLimiter: new OwnShare({ ...common, points: share }, () => fallbacks.inc()),
          inMemoryBlockOnConsumed: limit + 1,
          rejectIfRedisNotReady: true,
        })
      : new RateLimiterMemory({ ...common, points: share });
    limiters.set(limit, made);
    return made;
  };

  const remaining = (limit: number, result: RateLimiterRes): Remaining => ({
    limit,
    remaining: Math.max(0, result.remainingPoints),
    reset: Math.ceil((Date.now() + result.msBeforeNext) / 1000),
  });

  return {
    /**
     * Takes one request out of a budget.
     * @returns what is left, and whether there was something left.
     */
    spend: async (name: string, limit: number): Promise<Remaining & { allowed: boolean }> => {
      try {
        return { ...remaining(limit, await limiterOf(limit).consume(name)), allowed: true };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { ...remaining(limit, refusal), allowed: false };
      }
    },
    /** What is left, without spending: for answers that cost nothing (403, 404, 405). */
    look: async (name: string, limit: number): Promise<Remaining> => {
      const limiter = limiterOf(limit);
      const result = await limiter.get(name).catch(() => null);
      const reset = Math.ceil(Date.now() / 1000) + windowSeconds;
      return result ? remaining(limit, result) : { limit, remaining: limiter.points, reset };
    },
  };
};

/** A replica's share, used while Redis is away, hangs or takes no writes. */
class OwnShare extends RateLimiterMemory {
  readonly #used: () => void;

  constructor(options: IRateLimiterOptions, used: () => void) {
    super(options);
    this.#used = used;
  }

  override consume(key: string | number, points?: number): Promise<RateLimiterRes> {
    this.#used();
    return super.consume(key, points);
  }

  /** An untouched share is told as what it is, for the limit of all is not to be had. */
  override async get(key: string | number): Promise<RateLimiterRes> {
    const untouched = new RateLimiterRes(this.points, windowSeconds * 1000, 0, true);
    return (await super.get(key)) ?? untouched;
  }
}

export type Budgets = ReturnType<typeof createBudgets>;

/** @returns the refusal of decision 47. */
export const rateLimited = (reset: number): Failure =>
  new Failure('RATE_LIMITED', 'Too many requests; wait a moment.', {
    retryAfterSeconds: Math.max(1, Math.ceil(reset - Date.now() / 1000)),
  });
