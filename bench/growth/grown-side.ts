/** The operations that R10 measures, as requests one after another. */
import { randomUUID } from 'node:crypto';
import { orderWith } from '../fairness/calls.ts';
import { stackProcesses } from '../http/stack.ts';
import { bearer, responseOf, type Target } from '../http/wrk.ts';
import { percentile } from '../measuring/percentile.ts';
import type { Side } from '../measuring/ratio.ts';
import type { GrownStack } from './grown-stack.ts';

type Request = Omit<Target, 'url' | 'headers'> & { path: string; idempotencyKey?: string };

interface Operation {
  readonly name: string;
  /** A request that is sent before each measured one, and is not measured. */
  first?(): Request;
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

const requestsPerRound = 20;

/** One operation on a local stack of some size, one request after another. */
export const grownSide = (name: string, grown: GrownStack, operation: Operation): Side => {
  const { stack, baseUrl, key, orderIds } = grown;
  const send = ({ path, idempotencyKey, ...rest }: Request) =>
    responseOf({
      ...rest,
      url: baseUrl + path,
      headers: {
        ...bearer(key),
        ...(rest.body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
    });
  let ids: string[] = [];
  let next = 0;
  return {
    name,
    processes: stackProcesses(stack.file()),
    prepare: async () => {
      ids = [];
      for (let n = 0; n < requestsPerRound; n++) {
        const created = operation.first && (await send(operation.first()));
        ids.push(created?.id ?? orderIds[next++ % orderIds.length]);
      }
    },
    round: async () => {
      const ms: number[] = [];
      for (const id of ids) {
        const begun = performance.now();
        await send(operation.request(id));
        ms.push(performance.now() - begun);
      }
      const [p50Ms, p99Ms] = [percentile(ms, 0.5), percentile(ms, 0.99)];
      return { operations: ids.length, p50Ms, p99Ms };
    },
  };
};
