/** What the tests of faults share: a local stack with a receiver, and what its metrics say. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { until } from '@pto/testing';
import { liveOrder } from '../load.ts';
import { type LocalStack, startLocalStack, unlimited } from '../local-stack.ts';
import { metric } from '../metric.ts';
import { operator } from '../operator.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { groups } from './kafka.ts';

/** A local stack and a receiver with an endpoint, for all tests of a file or for each of them. */
export const stackUnderTest = (
  options: { env?: NodeJS.ProcessEnv; forEachTest?: boolean } = {},
) => {
  let mesh: LocalStack;
  let receiver: Receiver;
  const ids: string[] = [];
  const [before, after] = options.forEachTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    mesh = await startLocalStack({
      env: { ...unlimited, CUSTODY_AUDITOR_PAUSE: '200ms', ...options.env },
    });
    receiver = await startReceiver(mesh);
    await receiver.subscribe();
  });
  after(async () => {
    ids.length = 0;
    await receiver?.stop();
    await mesh?.stop();
    mesh?.forget();
  });
  return {
    get mesh() {
      return mesh;
    },
    get receiver() {
      return receiver;
    },
    /** The orders that `live` created. */
    ids: ids as readonly string[],
    /** Creates an order and takes it to its end. @returns its id. */
    live: async (name: string): Promise<string> => {
      const id = await liveOrder(mesh, name);
      ids.push(id);
      return id;
    },
    /** No consumer has parked a message, by its metric and by the operator's list. */
    expectNothingParked: async (): Promise<void> => {
      for (const { service } of groups)
        expect(await metric(mesh, service, 'bus_dead_letters')).toBe(0);
      expect(await operator(mesh, 'dlq', 'list')).toMatchObject({ code: 0, json: [] });
    },
  };
};

/** Waits until everything that was produced is stored by custody and dispatched by webhooks. */
export const drained = (
  mesh: LocalStack,
  services: readonly string[] = ['orders', 'custody', 'webhooks'],
): Promise<true> =>
  until(
    async () => {
      for (const service of services)
        for (const name of ['outbox_unsent', 'bus_consumer_lag'])
          if ((await metric(mesh, service, name)) !== 0 && hasMetric(service, name)) return false;
      return true;
    },
    { deadlineMs: 60_000, what: 'empty outboxes and no lag' },
  );

const hasMetric = (service: string, name: string): boolean =>
  service !== 'webhooks' || name !== 'outbox_unsent';
