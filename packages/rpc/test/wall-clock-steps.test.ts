import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { createTelemetry } from '@pto/telemetry';
import { tlsOf } from '@pto/testing';
import {
  connectClient,
  grpcClient,
  implement,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const hourMs = 3_600_000;
const host = '127.0.0.1';
const telemetry = createTelemetry({ service: 'test', write: () => {} });
const realNow = Date.now;
/** Moves the wall clock of this process, which has both ends of each call. */
const step = (ms: number): void => {
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + ms);
};
afterEach(() => void jest.restoreAllMocks());

let stepMs = 0;
/** Steps the clock, then returns how much time the caller has left, in whole seconds. */
const left = async ({ deadline }: { deadline: number }): Promise<string> => {
  step(stepMs);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return `${Math.round((deadline - performance.now()) / 1000)}`;
};

const implementations = [
  implement(DeadLetterService, {
    listDeadLetters: async ({ topic }, context) => {
      const nextId = await left(context);
      if (topic === 'hang') await new Promise(() => {});
      return { nextId };
    },
    replayDeadLetter: async () => ({}),
    discardDeadLetter: async () => ({}),
  }),
  implement(OrderService, {
    getOrder: async ({ id }, context) => {
      const body = Buffer.from(await left(context));
      if (id === 'hang') await new Promise(() => {});
      return { body };
    },
    createOrder: async () => ({}),
    getSequence: async () => ({}),
    listOrders: async () => ({}),
    cancelOrder: async () => ({}),
    submitOrder: async () => ({}),
    recordCondition: async () => ({}),
    getHandoverCode: async () => ({}),
    getStatus: async () => ({}),
    getArtifact: async () => ({}),
  }),
];

const options = { host, port: 0, implementations, tls: tlsOf('orders'), telemetry };
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Ask = (what: string, withinMs: number) => Promise<string>;
const wires: Record<string, () => Promise<Ask>> = {
  grpc: async () => {
    const server = await startGrpcServer(options);
    const address = `ipv4:${host}:${server.port}`;
    const tls = tlsOf('operators');
    const client = grpcClient(DeadLetterService, { address, server: 'orders', tls });
    closers.push(
      () => server.stop(),
      () => client.close(),
    );
    return async (topic, withinMs) => {
      const deadline = performance.now() + withinMs;
      return (await client.listDeadLetters({ topic }, { deadline, operator: 'one' })).nextId;
    };
  },
  'grpc in bundles': async () => {
    const server = await startGrpcServer(options);
    const address = `ipv4:${host}:${server.port}`;
    const client = grpcClient(OrderService, { address, server: 'orders', tls: tlsOf('gateway') });
    closers.push(
      () => server.stop(),
      () => client.close(),
    );
    return async (id, withinMs) => {
      const deadline = performance.now() + withinMs;
      const [one] = await Promise.all([id, id].map((id) => client.getOrder({ id }, { deadline })));
      return `${Buffer.from(one!.body)}`;
    };
  },
  connect: async () => {
    const server = await startConnectServer(options);
    const urls = [`https://${host}:${server.port}`];
    const tls = tlsOf('operators');
    const client = connectClient(DeadLetterService, { urls, server: 'orders', tls });
    closers.push(() => server.stop());
    return async (topic, timeoutMs) =>
      (await client.listDeadLetters({ topic }, { timeoutMs, operator: 'one' })).nextId;
  },
};

describe.each(Object.entries(wires))('over %s', (_, open) => {
  let ask: Ask;
  beforeAll(async () => {
    ask = await open();
  });

  test.each([-hourMs, hourMs])(
    'a step by %s ms during a call leaves it the time that its caller gave',
    async (ms) => {
      stepMs = ms;
      expect(await ask('', 9000)).toBe('9');
    },
  );

  test.each([-hourMs, hourMs])(
    'a step by %s ms while a call waits for its connection leaves it the time that its caller gave',
    async (ms) => {
      stepMs = ms;
      const asked = (await open())('', 9000);
      setImmediate(() => step(ms));
      expect(await asked).toBe('9');
    },
  );

  test.each([-hourMs, hourMs])(
    'a handler that hangs while the clock steps by %s ms ends at the deadline',
    async (ms) => {
      stepMs = ms;
      const begun = performance.now();
      await expect(ask('hang', 400)).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
      expect(performance.now() - begun).toBeGreaterThan(350);
      expect(performance.now() - begun).toBeLessThan(5000);
    },
  );
});
