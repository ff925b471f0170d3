/** Clients follow the replicas that a name stands for, without the end of a connection. */
import dns from 'node:dns';
import { afterEach, expect, jest, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry } from '@pto/telemetry';
import { freePort, tlsOf, until } from '@pto/testing';
import { grpcClient, implement, startGrpcServer } from '../src/index.ts';

const telemetry = createTelemetry({ service: 'test', write: () => {} });
const named = { operator: 'An Operator' };
const [a, b] = ['127.0.0.1', '127.0.0.2'] as const;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  jest.restoreAllMocks();
});

/** What the name server of the outside responds with: addresses, or that it does not respond. */
let addresses: readonly string[] | null;

const open = async () => {
  const port = await freePort();
  addresses = [a];
  jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => {
    if (!addresses) throw new Error('EAI_AGAIN');
    return addresses.map((address) => ({ address, family: 4 }));
  }) as unknown as typeof dns.promises.lookup);
  const held = Promise.withResolvers<void>();
  const handled: string[] = [];
  const start = (host: string) =>
    startGrpcServer({
      host,
      port,
      tls: tlsOf('orders'),
      telemetry,
      implementations: [
        implement(DeadLetterService, {
          listDeadLetters: async () => ({}),
          replayDeadLetter: async ({ id }) => {
            handled.push(`${host} ${id}`);
            if (id === 'held') await held.promise;
            return {};
          },
          discardDeadLetter: async () => ({}),
        }),
      ],
    });
  const servers = { [a]: await start(a), [b]: await start(b) };
  const address = `dns:///replicas.test:${port}`;
  const client = grpcClient(DeadLetterService, {
    address,
    server: 'orders',
    tls: tlsOf('operators'),
  });
  closers.push(...Object.values(servers).map((server) => () => server.stop()), () =>
    client.close(),
  );
  const replay = (id: string) => client.replayDeadLetter({ id }, named);
  return { servers, handled, replay, release: held.resolve };
};

test('a replica that has left its name gets no call, and stops without losing one', async () => {
  const { servers, handled, replay, release } = await open();
  await replay('first');
  const running = replay('held');
  await until(() => handled.includes(`${a} held`), { what: 'the call in progress' });
  addresses = [b];
  let sent = 0;
  const writes = async (): Promise<void> => {
    await replay(`${sent++}`);
    if (!handled.at(-1)!.startsWith(b)) return writes();
  };
  await writes();
  const before = handled.length;
  release();
  await running;
  await servers[a].stop();
  for (let n = 0; n < 20; n++) await replay('after');
  expect(handled.slice(before)).toEqual(Array(20).fill(`${b} after`));
});

test('a new replica of the name gets calls', async () => {
  const { handled, replay } = await open();
  await replay('first');
  addresses = [a, b];
  await until(
    async () => {
      await replay('next');
      return handled.at(-1)!.startsWith(b);
    },
    { what: 'a call to the new replica' },
  );
});

test('a name server that does not respond ends nothing', async () => {
  const { handled, replay } = await open();
  await replay('first');
  const lookup = dns.promises.lookup as unknown as jest.Mock;
  addresses = null;
  const asked = lookup.mock.calls.length;
  await until(() => lookup.mock.calls.length >= asked + 2, { what: 'two look-ups' });
  await replay('second');
  expect(handled).toEqual([`${a} first`, `${a} second`]);
});
