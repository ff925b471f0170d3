/** The operations that R10 measures, as requests one after another. */
import { randomUUID } from 'node:crypto';
import { orderWith } from '../fairness/calls.ts';
import { bearer } from '../http/bearer.ts';
import type { Target } from '../http/wrk.ts';
import type { GrownStack } from './grown-stack.ts';

type Request = Omit<Target, 'url' | 'headers'> & { path: string; idempotencyKey?: string };

export interface Operation {
  readonly name: string;
  /** Requests that are sent before the measured ones, and are not measured. */
  first?(grown: GrownStack): Request;
  /** @param id of the order that the first request created, or of a filled one. */
  request(id: string): Request;
}

const create = (): Request => ({
  path: '/orders',
  method: 'POST',
  body: JSON.stringify(orderWith(2)),
  idempotencyKey: randomUUID(),
  status: 201,
});
const replayed = { ...create(), idempotencyKey: 'replayed' };

export const operations: readonly Operation[] = [
  { name: 'get', request: (id) => ({ path: `/orders/${id}`, status: 200 }) },
  { name: 'list', request: () => ({ path: '/orders?limit=50', status: 200 }) },
  { name: 'create', request: create },
  { name: 'replay', first: () => replayed, request: () => replayed },
  {
    name: 'cancel',
    first: create,
    request: (id) => ({
      path: `/orders/${id}/cancel`,
      method: 'POST',
      body: '{"reason":"no longer needed"}',
      status: 200,
    }),
  },
  { name: 'custody read', request: (id) => ({ path: `/orders/${id}/events`, status: 200 }) },
];

/** The request as it is sent to this stack. */
export const targetOf = (
  { baseUrl, key }: GrownStack,
  { path, idempotencyKey, ...rest }: Request,
): Target => ({
  ...rest,
  url: baseUrl + path,
  headers: {
    ...bearer(key),
    ...(rest.body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
});
