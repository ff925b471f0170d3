import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { liveOrder } from '../load.ts';
import type { Mesh } from '../mesh.ts';
import { operator } from '../operator.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { groups } from './kafka.ts';
import { metric, startStack } from './stack.ts';

/** A local stack and a receiver with an endpoint, for all tests of a file or for each of them. */
export const stackUnderTest = (
  options: { env?: NodeJS.ProcessEnv; forEachTest?: boolean } = {},
) => {
  let mesh: Mesh;
  let receiver: Receiver;
  const ids: string[] = [];
  const [before, after] = options.forEachTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    mesh = await startStack(options.env);
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
