import type { Request, Response } from 'express';
import type { Credentials } from '../authentication/credentials.ts';
import { type Budgets, type Remaining, rateLimited } from '../limits/budget.ts';

/** A key's two budgets, and the headers that show what is left of them (decisions 46 to 48). */
export const keyBudgets = (
  budgets: Budgets,
  limits: { readonly reads: number; readonly writes: number },
) => {
  const budgetOf = ({ method }: Request, key: Credentials) => {
    const kind = method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
    return { name: `${kind}:${key.keyId}`, limit: key.limits[kind] ?? limits[kind] };
  };
  const show = (response: Response, { limit, remaining, reset }: Remaining): void => {
    response.setHeader('X-RateLimit-Limit', limit);
    response.setHeader('X-RateLimit-Remaining', remaining);
    response.setHeader('X-RateLimit-Reset', reset);
  };
  return {
    /** @throws Failure RATE_LIMITED */
    spend: async (request: Request, response: Response, key: Credentials) => {
      const { name, limit } = budgetOf(request, key);
      const left = await budgets.spend(name, limit);
      show(response, left);
      if (!left.allowed) throw rateLimited(left);
    },
    /** For answers that cost nothing: a 403, a 404 of a path, a 405. */
    look: async (request: Request, response: Response, key: Credentials) => {
      if (response.hasHeader('X-RateLimit-Limit')) return;
      const { name, limit } = budgetOf(request, key);
      show(response, await budgets.look(name, limit));
    },
  };
};

export type KeyBudgets = ReturnType<typeof keyBudgets>;
