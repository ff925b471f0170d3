import { afterAll, describe, expect, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry } from '@pto/telemetry';
import { type Authority, makeAuthority } from '@pto/testing';
import {
  connectClient,
  grpcClient,
  implement,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const host = '127.0.0.1';
const operatorToken = 'tokentokentoken';
const telemetry = createTelemetry({ service: 'test', write: () => {} });
const [ours, foreign] = [makeAuthority(), makeAuthority()];
afterAll(() => {
  ours.forget();
  foreign.forget();
});

const filesOf = ({ certFile, keyFile, caFile }: Authority) => ({
  tlsCertFile: certFile,
  tlsKeyFile: keyFile,
  tlsCaFile: caFile,
});
/** Trusts our authority, but has its own certificate from another. */
const intruder = { ...filesOf(foreign), tlsCaFile: ours.caFile };
const none = { tlsCertFile: '', tlsKeyFile: '', tlsCaFile: '' };

const implementations = [
  implement(DeadLetterService, {
    listDeadLetters: async () => ({ nextId: 'in' }),
    replayDeadLetter: async () => ({}),
  }),
];
const shared = { host, port: 0, implementations, tls: filesOf(ours), telemetry };

describe('over gRPC', () => {
  test('a peer of our authority is, a stranger and plain text are not', async () => {
    const server = await startGrpcServer(shared);
    const ask = async (tls: typeof none): Promise<string> => {
      const address = `ipv4:${host}:${server.port}`;
      const client = grpcClient(DeadLetterService, { address, tls });
      try {
        const deadline = Date.now() + 1500;
        return (await client.listDeadLetters({}, { deadline })).nextId;
      } catch (failure) {
        return (failure as { kind: string }).kind;
      } finally {
        client.close();
      }
    };
    expect(await ask(filesOf(ours))).toBe('in');
    for (const tls of [intruder, filesOf(foreign), none])
      expect(await ask(tls)).toMatch(/SERVICE_UNAVAILABLE|DEADLINE_EXCEEDED/);
    await server.stop();
  });
});

describe('over Connect', () => {
  test('a peer of our authority is, a stranger and plain text are not', async () => {
    const server = await startConnectServer({ ...shared, operatorToken });
    const ask = (tls: typeof none, scheme = 'https'): Promise<string> => {
      const urls = [`${scheme}://localhost:${server.port}`];
      const client = connectClient(DeadLetterService, {
        urls,
        operatorToken,
        tls,
        timeoutMs: 1500,
      });
      return client.listDeadLetters({}).then(
        ({ nextId }) => nextId,
        (failure) => failure.kind,
      );
    };
    expect(await ask(filesOf(ours))).toBe('in');
    for (const tls of [intruder, filesOf(foreign), none])
      expect(await ask(tls)).toBe('SERVICE_UNAVAILABLE');
    expect(await ask(none, 'http')).toBe('SERVICE_UNAVAILABLE');
    await server.stop();
  });
});

test('one of the three files alone is refused by name', async () => {
  const tls = { ...none, tlsCertFile: ours.certFile };
  await expect(startGrpcServer({ ...shared, tls })).rejects.toThrow('TLS_KEY_FILE');
});
