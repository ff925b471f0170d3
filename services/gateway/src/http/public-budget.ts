import type { Request } from 'express';
import { type Budgets, rateLimited } from '../limits/budget.ts';

/** Takes one request from a client address's budget for paths without a key. */
export type SpendPublic = (request: Request) => Promise<void>;

/**
 * Creates the budget of requests per minute for each client address.
 * @throws Failure RATE_LIMITED from the returned function.
 */
export const publicBudget =
  (budgets: Budgets, perMinute: number, addressOf: (request: Request) => string): SpendPublic =>
  async (request) => {
    const left = await budgets.spend(`open:${addressOf(request)}`, perMinute);
    if (!left.allowed) throw rateLimited(left);
  };
