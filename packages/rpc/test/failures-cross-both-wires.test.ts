import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure, privateCause } from '@pto/errors';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry } from '@pto/telemetry';
import { tlsOf } from '@pto/testing';
import {
  connectClient,
  type GrpcServer,
  grpcClient,
  implement,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const lines: string[] = [];
const telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
const tls = tlsOf('orders');
const asOperator = { server: 'orders', tls: tlsOf('operators') } as const;
const operator = 'Jörg Ä. Operator';
const host = '127.0.0.1';

const implementation = implement(DeadLetterService, {
  listDeadLetters: async ({ topic, afterId }) => {
    if (topic === 'fail')
      throw new Failure('LOCATION_NOT_FOUND', 'Kein Ort „Würzburg 😀“.', {
        details: { field: 'pickup.location_id', ort: 'Köln' },
        retryAfterSeconds: 7,
        cause: new Error('private svc_live_abc'),
      });
    if (topic === 'break') throw new TypeError('secret column whsec_abc');
    if (topic === 'hang') await new Promise(() => {});
    return { nextId: `${topic}${afterId}` };
  },
  replayDeadLetter: async () => ({}),
  discardDeadLetter: async () => ({}),
});

describe.each(['grpc', 'connect'])('over %s', (wire) => {
  let server: GrpcServer | Awaited<ReturnType<typeof startConnectServer>>;
  let client: {
    listDeadLetters(
      request: { topic: string; afterId?: string },
      options?: { deadline?: number; timeoutMs?: number; operator?: string },
    ): Promise<{ nextId: string }>;
    close?(): void;
  };

  beforeAll(async () => {
    const options = { host, port: 0, implementations: [implementation], tls, telemetry };
    if (wire === 'grpc') {
      server = await startGrpcServer(options);
      const address = `ipv4:${host}:${server.port}`;
      client = grpcClient(DeadLetterService, { address, ...asOperator });
    } else {
      server = await startConnectServer(options);
      const urls = [`https://${host}:${server.port}`];
      client = connectClient(DeadLetterService, { urls, ...asOperator });
    }
  });
  afterAll(async () => {
    client.close?.();
    await server.stop();
  });

  test('an answer arrives as it was given', async () => {
    expect((await client.listDeadLetters({ topic: 'ä', afterId: '😀' }, { operator })).nextId).toBe(
      'ä😀',
    );
  });

  test('kind, message, details and retry-after arrive whole, and the cause does not', async () => {
    const failure = await client.listDeadLetters({ topic: 'fail' }, { operator }).catch((e) => e);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.kind).toBe('LOCATION_NOT_FOUND');
    expect(failure.message).toBe('Kein Ort „Würzburg 😀“.');
    expect(failure.details).toEqual({ field: 'pickup.location_id', ort: 'Köln' });
    expect(failure.retryAfterSeconds).toBe(7);
    expect(privateCause(failure)).toBeUndefined();
  });

  test('an unforeseen error is a fixed text outside, and scrubbed in the log', async () => {
    const failure = await client.listDeadLetters({ topic: 'break' }, { operator }).catch((e) => e);
    expect(failure.kind).toBe('INTERNAL');
    expect(failure.message).not.toContain('column');
    expect(lines.join()).toContain('secret column whsec_***');
    expect(lines.join()).not.toContain('whsec_abc');
  });

  test('a handler that hangs is given up at the deadline of the caller', async () => {
    const begun = performance.now();
    const failure = await client
      .listDeadLetters({ topic: 'hang' }, { deadline: begun + 200, timeoutMs: 200, operator })
      .catch((e) => e);
    expect(failure.kind).toBe('DEADLINE_EXCEEDED');
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
