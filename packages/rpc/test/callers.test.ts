import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescFile, DescService } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identityFiles, issueIdentities } from '@pto/authority';
import { callers, grantedRoles, processNames } from '@pto/proto/callers';
import { LogService } from '@pto/proto/custody/v1/custody';
import { createTelemetry } from '@pto/telemetry';
import {
  type ConnectServer,
  connectClient,
  type GrpcServer,
  grpcClient,
  type Implementation,
  startConnectServer,
  startGrpcServer,
} from '../src/index.ts';

const gen = new URL('../../../proto/gen/', import.meta.url);
const matrixFile = new URL('./callers.txt', import.meta.url);

/** Every service of our protos. */
const services: DescService[] = [];
for (const name of readdirSync(gen, { recursive: true, encoding: 'utf8' }).sort())
  if (name.endsWith('_pb.js'))
    for (const exported of Object.values(await import(new URL(name, gen).pathname)))
      if ((exported as DescFile).kind === 'file') services.push(...(exported as DescFile).services);
/** Served by the wire itself; the calls of a bundle have the rows of their own RPCs. */
const ofTheWire = ['rpc.v1.BundleService'];
const ours = services.filter(({ typeName }) => !ofTheWire.includes(typeName));

const domain = 'partner-api.test';
const [folder, foreign] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'callers-'))) as [
  string,
  string,
];
const names = Object.fromEntries(processNames.map((name) => [name, [`${name}.${domain}`]]));
issueIdentities(
  folder,
  {
    ...names,
    stranger: [`stranger.${domain}`],
    elsewhere: ['gateway.partner-api.elsewhere'],
    wildcard: [`*.${domain}`],
    several: [`gateway.${domain}`, `orders.${domain}`],
  },
  2,
);
issueIdentities(foreign, names, 2);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(foreign, { recursive: true });
});

const settingsOf = (identity: string, from = folder) => {
  const { certFile, keyFile } = identityFiles(from, identity);
  // every caller trusts our authority, so that the server decides
  const { caFile } = identityFiles(folder, identity);
  return {
    tlsCertFile: certFile,
    tlsKeyFile: keyFile,
    tlsCaFile: caFile,
    tlsIdentityDomain: domain,
  };
};

const implementations = ours.map((service): Implementation => {
  const handlers = service.methods.map(({ localName }) => [localName, async () => ({})]);
  return { service, handlers: Object.fromEntries(handlers) };
});

const telemetry = createTelemetry({ service: 'test', write: () => {} });
const shared = { host: '127.0.0.1', port: 0, implementations, telemetry };
const starts = {
  grpc: (tls: Tls) => startGrpcServer({ ...shared, tls }),
  connect: (tls: Tls) => startConnectServer({ ...shared, tls }),
};
let grpc: GrpcServer;
let connect: ConnectServer;
beforeAll(async () => {
  grpc = await starts.grpc(settingsOf('orders'));
  connect = await starts.connect(settingsOf('orders'));
});
afterAll(() => Promise.all([grpc.stop(), connect.stop()]));

type Tls = ReturnType<typeof settingsOf>;
type Calls = Record<string, (request: object, options: object) => Promise<unknown>>;
type Ask = (rpc: string, operator?: string) => Promise<string>;
type Wire = (
  service: DescService,
  tls: Tls,
  server?: string,
  port?: number,
) => Ask & { close(): void };

/** Calls by one wire as an identity; the answer is `allowed` or the failure's kind. */
const wires: Record<'grpc' | 'connect', Wire> = {
  grpc: (service: DescService, tls: Tls, server = 'orders', port = grpc.port) => {
    const address = `ipv4:127.0.0.1:${port}`;
    const client = grpcClient(service, { address, server: server as 'orders', tls });
    return Object.assign(asking(client as never), client);
  },
  connect: (service: DescService, tls: Tls, server = 'orders', port = connect.port) => {
    const urls = [`https://127.0.0.1:${port}`];
    const client = connectClient(service, { urls, server: server as 'orders', tls });
    return Object.assign(asking(client as never), { close: () => {} });
  },
};

const asking =
  (client: Calls): Ask =>
  (rpc, operator) =>
    client[rpc]!({}, operator ? { operator } : {}).then(
      () => 'allowed',
      (failure: { kind: string }) => failure.kind,
    );

test('each RPC has its row in the table, and the table no row beside', () => {
  const rpcs = ours.map((service) => [service.typeName, service.methods.map(({ name }) => name)]);
  const rows = Object.entries(callers).map(([service, of]) => [service, Object.keys(of).sort()]);
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(rpcs.map(([service, of]) => [service, [...(of as string[])].sort()])),
  );
});

test('a row has callers, and names processes and roles that there are', () => {
  for (const row of Object.values(callers).flatMap((of) => Object.values(of))) {
    expect(row.anyone || row.services.length + row.roles.length > 0).toBe(true);
    for (const process of row.services) expect(processNames).toContain(process);
    for (const role of row.roles) expect([...grantedRoles, 'driver']).toContain(role);
  }
});

test('the target of a row is a field of its request', () => {
  for (const service of ours)
    for (const { name, input } of service.methods) {
      const { target } = callers[service.typeName]![name]!;
      if (target === '') continue;
      let message = input;
      for (const [n, part] of target.split('.').entries()) {
        const field = message.fields.find(({ localName }) => localName === part);
        expect([service.typeName, name, target, field?.localName]).toContain(part);
        if (n < target.split('.').length - 1) message = field!.message!;
      }
    }
});

describe.each(['grpc', 'connect'] as const)('over %s', (wire) => {
  test('each caller is allowed exactly what the printed matrix says', async () => {
    const columns = [...processNames, 'operators for an operator'];
    const rows = [`${'RPC'.padEnd(56)}${columns.join('  ')}`];
    for (const service of ours) {
      const clients = processNames.map((name) => wires[wire](service, settingsOf(name)));
      for (const { name, localName } of service.methods) {
        const answers = await Promise.all([
          ...clients.map((ask) => ask(localName)),
          clients[processNames.indexOf('operators')]!(localName, 'An Operator'),
        ]);
        const cells = answers.map((answer, n) =>
          ({ allowed: 'allowed', CALLER_NOT_ALLOWED: '-' })[answer]!.padEnd(columns[n]!.length),
        );
        rows.push(`${`${service.typeName}/${name}`.padEnd(56)}${cells.join('  ')}`.trimEnd());
      }
      for (const client of clients) client.close();
    }
    expect(`${rows.join('\n')}\n`).toBe(readFileSync(matrixFile, 'utf8'));
  });

  test('only the operators service speaks for an operator', async () => {
    const ledger = ours.find(({ typeName }) => typeName === 'custody.v1.LedgerService')!;
    for (const name of processNames) {
      const ask = wires[wire](ledger, settingsOf(name));
      const isGateway = name === 'operators';
      expect([name, await ask('verifyLog', 'An Operator')]).toEqual([
        name,
        isGateway ? 'allowed' : 'CALLER_NOT_ALLOWED',
      ]);
      ask.close();
    }
  });

  test('a certificate that names none of our processes, several, or another domain, is denied', async () => {
    for (const identity of ['stranger', 'elsewhere', 'wildcard', 'several']) {
      const ask = wires[wire](LogService, settingsOf(identity));
      expect([identity, await ask('getCheckpoint')]).toEqual([identity, 'CALLER_NOT_ALLOWED']);
      ask.close();
    }
  });

  test('a certificate of another authority, or one that has expired, makes no connection', async () => {
    const expired = mkdtempSync(join(tmpdir(), 'callers-'));
    issueIdentities(expired, names, -0.5);
    for (const tls of [settingsOf('gateway', foreign), settingsOf('gateway', expired)]) {
      const ask = wires[wire](LogService, tls);
      expect(await ask('getCheckpoint')).toMatch(/SERVICE_UNAVAILABLE|DEADLINE_EXCEEDED/);
      ask.close();
    }
    rmSync(expired, { recursive: true });
  });

  test('a caller does not speak to a server with the certificate of another process', async () => {
    const ask = wires[wire](LogService, settingsOf('gateway'), 'custody');
    expect(await ask('getCheckpoint')).toMatch(/SERVICE_UNAVAILABLE|DEADLINE_EXCEEDED/);
    ask.close();
  });

  test('a caller does not speak to a server whose certificate has expired, or names several processes', async () => {
    const expired = mkdtempSync(join(tmpdir(), 'callers-'));
    issueIdentities(expired, names, -0.5);
    const { tlsCaFile } = settingsOf('orders', expired);
    const certificates: Readonly<Record<string, readonly [server: Tls, caller: Tls]>> = {
      expired: [settingsOf('orders', expired), { ...settingsOf('gateway'), tlsCaFile }],
      several: [settingsOf('several'), settingsOf('gateway')],
      wildcard: [settingsOf('wildcard'), settingsOf('gateway')],
      'the one name': [settingsOf('orders'), settingsOf('gateway')],
    };
    const outcomes: Record<string, string> = {};
    for (const [what, [tls, caller]] of Object.entries(certificates)) {
      const server = await starts[wire](tls);
      const ask = wires[wire](LogService, caller, 'orders', server.port);
      outcomes[what] = (await ask('getCheckpoint')).replace(
        'DEADLINE_EXCEEDED',
        'SERVICE_UNAVAILABLE',
      );
      ask.close();
      await server.stop();
    }
    expect(outcomes).toEqual({
      expired: 'SERVICE_UNAVAILABLE',
      several: 'SERVICE_UNAVAILABLE',
      wildcard: 'SERVICE_UNAVAILABLE',
      'the one name': 'allowed',
    });
    rmSync(expired, { recursive: true });
  });
});

test('without a certificate, or without TLS, no call is answered', async () => {
  const path = '/custody.v1.LogService/GetCheckpoint';
  const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  for (const scheme of ['http', 'https'])
    await expect(fetch(`${scheme}://127.0.0.1:${connect.port}${path}`, post)).rejects.toThrow();
});
