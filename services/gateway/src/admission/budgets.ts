import type { IncomingMessage, ServerResponse } from 'node:http';
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
  telemetry: Telemetry;
}) => {
  const { redis, replicas, telemetry } = options;
  const shared = redis && createSharedWindow(redis, 'gateway:budget', telemetry.log);
  const own = createSlidingWindow({ windowMs: budgetWindowMs, namesMax });
  const fallbacks = new Counter({
    name: 'gateway_limiter_fallbacks_total',
    help: 'Requests counted in memory because Redis was unavailable',
    registers: [telemetry.metrics],
  });
  const share = (limit: number): number => Math.max(1, Math.floor(limit / replicas));

  const use = async (name: string, limit: number, cost: 0 | 1) => {
    if (shared) {
      try {
        return remainingOf(await shared.use(name, limit, cost), limit, limit);
      } catch {
        if (cost === 1) fallbacks.inc();
      }
    }
    return remainingOf(own.use(name, share(limit), cost, performance.now()), limit, share(limit));
  };

  return {
    /**
     * Takes one request from a budget.
     * @returns what is left, and whether the request was granted.
     */
    spend: (name: string, limit: number): Promise<Remaining & { allowed: boolean }> =>
      use(name, limit, 1),
    /** Returns what is left of a budget without spending. */
    look: (name: string, limit: number): Promise<Remaining> => use(name, limit, 0),
  };
};

const remainingOf = (usage: Usage, limit: number, points: number) => ({
  allowed: usage.granted,
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

interface LimitedKey {
  readonly countedAs: string;
  /** Requests per minute; null: the gateway's default. */
  readonly limits: { readonly reads: number | null; readonly writes: number | null };
}

/**
 * Spends a key's budgets of reads, writes (decisions 46 to 48) and rejected requests
 * (docs/decisions/limits.md), and sets the headers that show what is left of reads or
 * writes.
 */
export const keyBudgets = (
  budgets: Budgets,
  limits: { readonly reads: number; readonly writes: number; readonly rejected: number },
) => {
  const budgetOf = ({ method }: IncomingMessage, key: LimitedKey) => {
    const kind = method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
    return [`${kind}:${key.countedAs}`, key.limits[kind] ?? limits[kind]] as const;
  };
  return {
    /**
     * Takes one request from the key's reads or writes, and sets the headers.
     * @throws Failure RATE_LIMITED
     */
    spend: async (request: IncomingMessage, response: ServerResponse, key: LimitedKey) => {
      const left = await budgets.spend(...budgetOf(request, key));
      show(response, left);
      if (!left.allowed) throw rateLimited(left);
    },
    /**
     * Takes one request from the key's budget of rejected requests, unless the request has spent
     * reads or writes. For 403, 404 for an unknown path, 405, and OPTIONS.
     * @throws Failure RATE_LIMITED
     */
    spendRejected: async (response: ServerResponse, key: LimitedKey) => {
      if (response.hasHeader(limitHeader)) return;
      const left = await budgets.spend(`rejected:${key.countedAs}`, limits.rejected);
      if (!left.allowed) throw rateLimited(left, 'Too many requests were rejected; correct them.');
    },
    /** Sets the headers for a request that spends neither reads nor writes. */
    look: async (request: IncomingMessage, response: ServerResponse, key: LimitedKey) => {
      if (response.hasHeader(limitHeader)) return;
      show(response, await budgets.look(...budgetOf(request, key)));
    },
  };
};

export type KeyBudgets = ReturnType<typeof keyBudgets>;

const limitHeader = 'X-RateLimit-Limit';

/** Sets the headers that show what is left of a budget (decision 46). */
const show = (response: ServerResponse, { limit, remaining, reset }: Remaining): void => {
  response.setHeader(limitHeader, limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', reset);
};
