import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { type Authority, makeAuthority, until } from '@pto/testing';
import { type ConnectServer, connectClient, startConnectServer } from '../src/index.ts';

const names = ['orders.partner-api.test'];
const [short, long] = [makeAuthority(names, 3), makeAuthority(names, 40)];
const dir = mkdtempSync(join(tmpdir(), 'pto-ends-'));
const servers: ConnectServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  short.forget();
  long.forget();
  rmSync(dir, { recursive: true });
});

const tls = {
  tlsCertFile: join(dir, 'tls.crt'),
  tlsKeyFile: join(dir, 'tls.key'),
  tlsCaFile: join(dir, 'ca.crt'),
  tlsReloadMs: 20,
  tlsIdentityDomain: 'partner-api.test',
};
const mount = ({ certFile, keyFile, caFile }: Authority) => {
  copyFileSync(certFile, tls.tlsCertFile);
  copyFileSync(keyFile, tls.tlsKeyFile);
  copyFileSync(caFile, tls.tlsCaFile);
};
const endOf = (file: string) =>
  new X509Certificate(readFileSync(file)).validToDate.getTime() / 1000;
const ends = ({ certFile, caFile }: Authority) => ({
  certificate: endOf(certFile),
  authority: endOf(caFile),
});

const processOf = () => {
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
  const told = async () => {
    const text = await telemetry.metrics.metrics();
    const series = text.matchAll(/^tls_certificate_expires_seconds\{(.*)\} (\d+)$/gm);
    return Object.fromEntries(
      [...series].map(([, labels, value]) => [/file="(\w+)"/.exec(labels!)?.[1], Number(value)]),
    );
  };
  return { lines, telemetry, told };
};
const serve = async (files: typeof tls, telemetry: Telemetry) => {
  const shared = { host: '127.0.0.1', port: 0, telemetry };
  servers.push(await startConnectServer({ ...shared, implementations: [], tls: files }));
};

test('a server tells both ends, those of what was renewed, and never of what it refused', async () => {
  mount(short);
  const { lines, telemetry, told } = processOf();
  await serve(tls, telemetry);
  expect(await told()).toEqual(ends(short));
  mount(long);
  await until(async () => (await told()).certificate === endOf(long.certFile), {
    what: 'the new end',
  });
  expect(await told()).toEqual(ends(long));
  copyFileSync(short.certFile, tls.tlsCertFile); // its key is missing
  await until(() => lines.some((line) => line.includes('TLS files are invalid')), {
    what: 'a word',
  });
  expect(await told()).toEqual(ends(long));
});

test('a process that only calls tells it, too', async () => {
  mount(short);
  const { telemetry, told } = processOf();
  connectClient(DeadLetterService, { urls: [], server: 'orders', tls, telemetry });
  expect(await told()).toEqual(ends(short));
});

test('a chain ends with its first link, and authorities with the last of them', async () => {
  mount(long);
  const [leaf, link] = [readFileSync(long.certFile), readFileSync(short.certFile)];
  writeFileSync(tls.tlsCertFile, Buffer.concat([leaf, link]));
  const torn = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const authorities = [short, long].map(({ caFile }) => readFileSync(caFile, 'utf8'));
  writeFileSync(tls.tlsCaFile, [...authorities, torn].join(''));
  const { telemetry, told } = processOf();
  await serve(tls, telemetry);
  expect(await told()).toEqual({
    certificate: endOf(short.certFile),
    authority: endOf(long.caFile),
  });
});
