import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Credentials } from '../authentication/credentials.ts';
import { type Budgets, type Remaining, rateLimited } from './budget.ts';

/** Sets the headers that show what is left of a budget (decision 46). */
const show = (response: ServerResponse, { limit, remaining, reset }: Remaining): void => {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', reset);
};

/**
 * Spends a key's budgets of reads, writes (decisions 46 to 48) and rejected requests
 * (docs/decisions/rejected-requests.md), and sets the headers that show what is left of reads or
 * writes.
 */
export const keyBudgets = (
  budgets: Budgets,
  limits: { readonly reads: number; readonly writes: number; readonly rejected: number },
) => {
  const budgetOf = ({ method }: IncomingMessage, key: Credentials) => {
    const kind = method === 'GET' || method === 'HEAD' ? 'reads' : 'writes';
    return { name: `${kind}:${key.keyId}`, limit: key.limits[kind] ?? limits[kind] };
  };
  return {
    /**
     * Takes one request from the key's reads or writes, and sets the headers.
     * @throws Failure RATE_LIMITED
     */
    spend: async (request: Request, response: Response, key: Credentials) => {
      const { name, limit } = budgetOf(request, key);
      const left = await budgets.spend(name, limit);
      show(response, left);
      if (!left.allowed) throw rateLimited(left);
    },
    /**
     * Takes one request from the key's budget of rejected requests, unless the request has spent
     * reads or writes. For 403, 404 for an unknown path, 405, and OPTIONS.
     * @throws Failure RATE_LIMITED
     */
    spendRejected: async (response: Response, key: Credentials) => {
      if (response.hasHeader('X-RateLimit-Limit')) return;
      const left = await budgets.spend(`rejected:${key.keyId}`, limits.rejected);
      if (!left.allowed) throw rateLimited(left, 'Too many requests were rejected; correct them.');
    },
    /** Sets the headers for a request that spends neither reads nor writes. */
    look: async (request: Request, response: Response, key: Credentials) => {
      if (response.hasHeader('X-RateLimit-Limit')) return;
      const { name, limit } = budgetOf(request, key);
      show(response, await budgets.look(name, limit));
    },
  };
};

export type KeyBudgets = ReturnType<typeof keyBudgets>;

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
