import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Failure, type FailureKind } from '@pto/errors';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry } from '@pto/telemetry';
import { tlsOf, until } from '@pto/testing';
import {
  connectClient,
  grpcClient,
  implement,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const telemetry = createTelemetry({ service: 'test', write: () => {} });
const tls = tlsOf('orders');
const asOperator = { server: 'orders', tls: tlsOf('operators') } as const;
const named = { operator: 'An Operator' };
const host = '127.0.0.1';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const counting = (name: string, seen: string[]) =>
  implement(DeadLetterService, {
    listDeadLetters: async () => {
      seen.push(`read ${name}`);
      return { nextId: name };
    },
    replayDeadLetter: async () => {
      seen.push(`write ${name}`);
      return {};
    },
    discardDeadLetter: async () => ({}),
  });

/** Counts the calls that reach it and rejects each. */
const rejecting = (kind: FailureKind, seen: string[]) =>
  implement(DeadLetterService, {
    listDeadLetters: async () => {
      seen.push('read');
      throw new Failure(kind, 'No.');
    },
    replayDeadLetter: async () => ({}),
    discardDeadLetter: async () => ({}),
  });

/** Takes connections and hangs up as soon as a call has come: the answer is lost. */
const hangingUp = async (seen: string[]): Promise<number> => {
  const server: Server = createServer((socket) => {
    socket.once('data', () => {
      seen.push('hung up');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closers.push(() => server.close());
  return (server.address() as { port: number }).port;
};

describe.each(['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'] as const)(
  'a read that a server rejects with %s is called once',
  (kind) => {
    test('over gRPC', async () => {
      const seen: string[] = [];
      const implementations = [rejecting(kind, seen)];
      const server = await startGrpcServer({ host, port: 0, implementations, tls, telemetry });
      closers.push(() => server.stop());
      const address = `ipv4:${host}:${server.port}`;
      const client = grpcClient(DeadLetterService, { address, ...asOperator });
      closers.push(() => client.close());
      await expect(client.listDeadLetters({}, named)).rejects.toMatchObject({ kind });
      expect(seen).toEqual(['read']);
    });

    test('over Connect', async () => {
      const seen: string[] = [];
      const implementations = [rejecting(kind, seen)];
      const server = await startConnectServer({ host, port: 0, tls, implementations, telemetry });
      closers.push(() => server.stop());
      const url = `https://${host}:${server.port}`;
      const client = connectClient(DeadLetterService, { urls: [url, url], ...asOperator });
      await expect(client.listDeadLetters({}, named)).rejects.toMatchObject({ kind });
      expect(seen).toEqual(['read']);
    });
  },
);

describe('over gRPC', () => {
  const startTwo = async (seen: string[]) => {
    const servers = [];
    for (const name of ['a', 'b']) {
      const implementations = [counting(name, seen)];
      const server = await startGrpcServer({ host, port: 0, implementations, tls, telemetry });
      closers.push(() => server.stop());
      servers.push(server);
    }
    const address = `ipv4:${servers.map((server) => `${host}:${server.port}`).join(',')}`;
    const client = grpcClient(DeadLetterService, { address, ...asOperator });
    closers.push(() => client.close());
    return { servers, client };
  };

  test('calls go round over the replicas', async () => {
    const seen: string[] = [];
    const { client } = await startTwo(seen);
    await until(
      async () => {
        await client.listDeadLetters({}, named);
        return new Set(seen).size === 2;
      },
      { what: 'calls at both replicas' },
    );
    seen.length = 0;
    for (let n = 0; n < 10; n++) await client.replayDeadLetter({ id: 'x' }, named);
    expect(seen.filter((line) => line === 'write a')).toHaveLength(5);
  });

  test('no read fails while one replica stops', async () => {
    const seen: string[] = [];
    const { client, servers } = await startTwo(seen);
    let asking = true;
    const answers: Promise<unknown>[] = [];
    const load = (async () => {
      while (asking) {
        const answer = client.listDeadLetters({}, named);
        answers.push(answer);
        await answer.catch(() => {});
      }
    })();
    await until(() => new Set(seen).size === 2, { what: 'calls at both replicas' });
    await servers[0]!.stop();
    const before = seen.length;
    await until(() => seen.length > before + 50, { what: 'the other one to go on' });
    asking = false;
    await load;
    await expect(Promise.all(answers)).resolves.toBeDefined();
  });
});

describe('over Connect', () => {
  const withOneAway = async (seen: string[]) => {
    const server = await startConnectServer({
      host,
      port: 0,
      implementations: [counting('a', seen)],
      tls,
      telemetry,
    });
    closers.push(() => server.stop());
    const closing = await hangingUp(seen);
    const urls = [closing, server.port].map((port) => `https://${host}:${port}`);
    return connectClient(DeadLetterService, { urls, ...asOperator, ...named });
  };

  /** Two replicas, of which the first one takes connections and does nothing, as a stopped process. */
  const withOneStopped = async (seen: string[]) => {
    const implementations = [counting('a', seen)];
    const server = await startConnectServer({ host, port: 0, tls, implementations, telemetry });
    closers.push(() => server.stop());
    const open = new Set<Socket>();
    const stopped = createServer((socket) => open.add(socket));
    await new Promise<void>((resolve) => stopped.listen(0, host, resolve));
    closers.push(() => {
      for (const socket of open) socket.destroy();
      stopped.close();
    });
    const ports = [(stopped.address() as { port: number }).port, server.port];
    const urls = ports.map((port) => `https://${host}:${port}`);
    return { open, client: connectClient(DeadLetterService, { urls, ...asOperator, ...named }) };
  };

  test('a read passes over a replica that hangs up', async () => {
    const seen: string[] = [];
    const client = await withOneAway(seen);
    expect((await client.listDeadLetters({})).nextId).toBe('a');
    expect(seen).toEqual(['hung up', 'read a']);
  });

  test('a read whose connection the only URL breaks is sent to it once more', async () => {
    const seen: string[] = [];
    const port = await hangingUp(seen);
    const urls = [`https://${host}:${port}`];
    const client = connectClient(DeadLetterService, { urls, ...asOperator, ...named });
    await expect(client.listDeadLetters({})).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    expect(seen).toEqual(['hung up', 'hung up']);
    await expect(client.replayDeadLetter({ id: 'x' })).rejects.toThrow();
    expect(seen).toHaveLength(3);
  });

  test.each([
    ['its deadline', () => ({ timeoutMs: 1500 })],
    ['its caller', () => ({ signal: AbortSignal.timeout(1500) })],
  ])('a replica without a response keeps a call until %s, and no later one', async (_, ends) => {
    const seen: string[] = [];
    const { client, open } = await withOneStopped(seen);
    await expect(client.replayDeadLetter({ id: 'x' }, ends())).rejects.toThrow();
    for (let n = 0; n < 10; n++) await client.replayDeadLetter({ id: 'x' });
    expect(seen).toHaveLength(10);
    expect(open.size).toBe(1);
  });

  test('a call with little time says nothing about the replica', async () => {
    const seen: string[] = [];
    const { client } = await withOneStopped(seen);
    const soon = () => client.replayDeadLetter({ id: 'x' }, { timeoutMs: 100 });
    await expect(soon()).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' });
    await client.replayDeadLetter({ id: 'x' });
    await expect(soon()).rejects.toMatchObject({ kind: 'DEADLINE_EXCEEDED' }); // its turn again
    expect(seen).toEqual(['write a']);
  });

  test('a write whose answer was lost is not sent again', async () => {
    const seen: string[] = [];
    const client = await withOneAway(seen);
    await expect(client.replayDeadLetter({ id: 'x' })).rejects.toMatchObject({
      kind: 'SERVICE_UNAVAILABLE',
    });
    expect(seen).toEqual(['hung up']);
  });
});
