import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry } from '@pto/telemetry';
import { type Authority, makeAuthority, until } from '@pto/testing';
import {
  connectClient,
  grpcClient,
  implement,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const host = '127.0.0.1';
const lines: string[] = [];
const telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
const domain = 'partner-api.test';
/** Both ends of a wire have the same certificate. */
const names = [`operators.${domain}`];
const [first, second] = [makeAuthority(names), makeAuthority(names)];
const dir = mkdtempSync(join(tmpdir(), 'pto-renewed-'));
afterAll(() => {
  first.forget();
  second.forget();
  rmSync(dir, { recursive: true });
});

const mounted = (name: string) => ({
  tlsCertFile: join(dir, `${name}.crt`),
  tlsKeyFile: join(dir, `${name}.key`),
  tlsCaFile: join(dir, `${name}.ca`),
  tlsIdentityDomain: domain,
  tlsReloadMs: 20,
});
const mount = (name: string, { certFile, keyFile, caFile }: Authority) => {
  const files = mounted(name);
  copyFileSync(certFile, files.tlsCertFile);
  copyFileSync(keyFile, files.tlsKeyFile);
  copyFileSync(caFile, files.tlsCaFile);
  return files;
};
const filesOf = ({ certFile, keyFile, caFile }: Authority) => ({
  tlsCertFile: certFile,
  tlsKeyFile: keyFile,
  tlsCaFile: caFile,
  tlsIdentityDomain: domain,
});
const caller = { server: 'operators', operator: 'An Operator' } as const;
const implementations = [
  implement(DeadLetterService, {
    listDeadLetters: async () => ({ nextId: 'in' }),
    replayDeadLetter: async () => ({}),
    discardDeadLetter: async () => ({}),
  }),
];
const start = async (tls: ReturnType<typeof mounted>) => {
  const shared = { host, port: 0, implementations, tls, telemetry };
  const grpc = await startGrpcServer(shared);
  const connect = await startConnectServer(shared);
  return {
    stop: () => Promise.all([grpc.stop(), connect.stop()]),
    address: `ipv4:${host}:${grpc.port}`,
    urls: [`https://localhost:${connect.port}`],
  };
};
const answerOf = (asked: Promise<{ nextId: string }>): Promise<string> =>
  asked.then(
    ({ nextId }) => nextId,
    (failure) => failure.kind,
  );
const overConnect = (urls: string[], tls: ReturnType<typeof filesOf>) => {
  const client = connectClient(DeadLetterService, { urls, ...caller, tls, timeoutMs: 5000 });
  return () => answerOf(client.listDeadLetters({}));
};
const overGrpc = (address: string, tls: ReturnType<typeof filesOf>) => {
  const client = grpcClient(DeadLetterService, { address, server: caller.server, tls });
  const ask = () =>
    answerOf(
      client.listDeadLetters({}, { deadline: performance.now() + 5000, operator: caller.operator }),
    );
  return Object.assign(ask, { close: () => client.close() });
};

test('a server meets new callers with its new certificate, over both wires', async () => {
  const server = await start(mount('server', first));
  const old = overGrpc(server.address, filesOf(first));
  expect([await old(), await overConnect(server.urls, filesOf(first))()]).toEqual(['in', 'in']);
  mount('server', second);
  await until(async () => (await overConnect(server.urls, filesOf(second))()) === 'in', {
    what: 'the new authority over Connect',
  });
  const renewed = overGrpc(server.address, filesOf(second));
  expect(await renewed()).toBe('in');
  expect(await old()).toBe('in'); // what is connected stays
  const late = overGrpc(server.address, filesOf(first));
  expect(await late()).not.toBe('in');
  for (const client of [old, renewed, late]) client.close();
  await server.stop();
});

test('a caller presents its new certificate in its next connection', async () => {
  const servers = [await start(mount('one', first)), await start(mount('two', second))];
  const own = mount('caller', first);
  const [one, two] = servers.map(({ urls }) => overConnect(urls, own));
  const wire = overGrpc(servers[1]!.address, own);
  expect([await one!(), await two!(), await wire()]).toEqual([
    'in',
    'SERVICE_UNAVAILABLE',
    expect.stringMatching(/UNAVAILABLE|DEADLINE/),
  ]);
  mount('caller', second);
  await until(async () => (await two!()) === 'in', { what: 'the new certificate over Connect' });
  await until(async () => (await wire()) === 'in', { what: 'the new certificate over gRPC' });
  wire.close();
  await Promise.all(servers.map((server) => server.stop()));
});

test('files that do not match are logged, and the previous ones are used', async () => {
  const files = mount('torn', first);
  const server = await start(files);
  lines.length = 0;
  writeFileSync(files.tlsKeyFile, second.key);
  await until(() => lines.some((line) => line.includes('TLS files are invalid')), {
    what: 'a word',
  });
  expect(await overConnect(server.urls, filesOf(first))()).toBe('in');
  await server.stop();
});
