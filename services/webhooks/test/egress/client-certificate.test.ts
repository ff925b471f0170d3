import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { type Authority, freePort, makeAuthority, until } from '@pto/testing';
import { parseAllowedRange } from '../../src/egress/address-policy.ts';
import { watchClientCertificate } from '../../src/egress/client-certificate.ts';
import { type Egress, openEgress } from '../../src/egress/egress.ts';
import { resolveHost } from '../../src/egress/resolve-host.ts';
import { trust } from '../../src/egress/tls.ts';
import { parseProxy } from '../../src/egress/tunnel.ts';
import { startProxy } from '../proxy.ts';

let servers: Authority;
let [first, second, unknown] = [] as unknown as [Authority, Authority, Authority];
let dir: string;
const closing: (() => unknown)[] = [];

beforeAll(() => {
  servers = makeAuthority();
  [first, second, unknown] = [makeAuthority(), makeAuthority(), makeAuthority()];
  dir = mkdtempSync(join(tmpdir(), 'pto-client-'));
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});
afterAll(() => {
  for (const authority of [servers, first, second, unknown]) authority.forget();
  rmSync(dir, { recursive: true });
});

const fingerprint = ({ cert }: Authority) => new X509Certificate(cert).fingerprint256;
const mounted = () => ({
  clientCertFile: join(dir, 'client.pem'),
  clientKeyFile: join(dir, 'client-key.pem'),
  tlsReloadMs: 20,
});
const mount = ({ certFile, keyFile }: Authority) => {
  const files = mounted();
  copyFileSync(certFile, files.clientCertFile);
  copyFileSync(keyFile, files.clientKeyFile);
  return files;
};

const telemetryOf = () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  return { lines, telemetry: createTelemetry({ service: 'test', level: 'debug', write }) };
};

const egressWith = (own: Authority | undefined, proxyPort?: number) => {
  const { lines, telemetry } = telemetryOf();
  const egress = openEgress({
    policy: { allow: [parseAllowedRange('127.0.0.0/8')], only443: false },
    resolve: resolveHost,
    tls: trust(servers.caFile, own && watchClientCertificate(mount(own), telemetry)),
    connectTimeoutMs: 10_000,
    ...(proxyPort && { egressProxy: parseProxy(`http://127.0.0.1:${proxyPort}`) }),
  });
  closing.push(() => egress.close());
  return Object.assign(egress, { lines, metrics: telemetry.metrics });
};

const send = (egress: Egress, url: string, method: 'GET' | 'POST' = 'POST') =>
  egress
    .request({
      endpointId: 'e',
      method,
      url: new URL(url),
      headers: {},
      ...(method === 'POST' && { body: Buffer.from('{}') }),
      timeoutMs: 3000,
      responseMaxBytes: 100,
    })
    .catch((error) => error);

/**
 * A receiver that requires a certificate of the first or the second authority. `presented` has the
 * fingerprint of the certificate of each request, `resumed` whether its session was resumed.
 */
const requiring = async (version: SecureVersion, connection: 'close' | 'keep-alive' = 'close') => {
  const presented: string[] = [];
  const resumed: boolean[] = [];
  const server = createServer(
    {
      cert: servers.cert,
      key: servers.key,
      ca: [first, second].map(({ caFile }) => readFileSync(caFile)),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: version,
      maxVersion: version,
    },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      presented.push(socket.getPeerX509Certificate()!.fingerprint256);
      resumed.push(socket.isSessionReused());
      response.writeHead(204, connection === 'close' ? { connection } : {}).end();
    },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    presented,
    resumed,
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
  };
};

/** A receiver that rejects a client with an alert of TLS, as servers with OpenSSL do. */
const rejecting = async (version: 'tls1_2' | 'tls1_3') => {
  const port = await freePort();
  const words = ['s_server', '-accept', `127.0.0.1:${port}`, '-cert', servers.certFile];
  words.push('-key', servers.keyFile, '-CAfile', first.caFile, `-${version}`, '-www');
  const server = spawn('openssl', [...words, '-Verify', '1', '-verify_return_error']);
  let printed = '';
  server.stdout.on('data', (data) => {
    printed += data;
  });
  closing.push(() => {
    server.kill();
    return once(server, 'close');
  });
  await until(() => printed.includes('ACCEPT'), { what: 'a listening openssl' });
  return `https://localhost:${port}/`;
};

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('by %s', (version) => {
  test.each(['GET', 'POST'] as const)(
    'a receiver that requires a certificate accepts a %s',
    async (method) => {
      const receiver = await requiring(version);
      const egress = egressWith(first);
      expect(await send(egress, receiver.url, method)).toMatchObject({ statusCode: 204 });
      expect(receiver.presented).toEqual([fingerprint(first)]);
    },
  );

  test('it does so through the egress proxy', async () => {
    const [receiver, proxy] = [await requiring(version), await startProxy()];
    closing.push(proxy.close);
    const egress = egressWith(first, proxy.port);
    expect(await send(egress, receiver.url)).toMatchObject({ statusCode: 204 });
    expect(receiver.presented).toEqual([fingerprint(first)]);
    expect(proxy.asked).toHaveLength(1);
  });

  test('a request without a certificate is not received', async () => {
    const receiver = await requiring(version);
    expect(await send(egressWith(undefined), receiver.url)).toHaveProperty('fault');
    expect(receiver.presented).toEqual([]);
  });

  test.each(['close', 'keep-alive'] as const)(
    'a renewed certificate replaces the sessions and connections of the old one (%s)',
    async (connection) => {
      const receiver = await requiring(version, connection);
      const egress = egressWith(first);
      await send(egress, receiver.url);
      await send(egress, receiver.url);
      expect(receiver.presented).toEqual([fingerprint(first), fingerprint(first)]);
      if (connection === 'close') expect(receiver.resumed).toEqual([false, true]);
      mount(second);
      await until(
        async () => {
          await send(egress, receiver.url);
          return receiver.presented.at(-1) === fingerprint(second);
        },
        { what: 'the new certificate at the receiver' },
      );
      expect(receiver.resumed[receiver.presented.indexOf(fingerprint(second))]).toBe(false);
    },
  );
});

describe.each(['tls1_2', 'tls1_3'] as const)(
  'with a receiver that sends alerts (%s)',
  (version) => {
    test('a rejected client certificate is a fault of TLS, as a missing one is', async () => {
      const url = await rejecting(version);
      expect(await send(egressWith(first), url, 'GET')).toMatchObject({ statusCode: 200 });
      for (const own of [undefined, unknown])
        expect(await send(egressWith(own), url)).toMatchObject({ fault: 'tls' });
    });
  },
);

test('a receiver that asks for no certificate does not receive one', async () => {
  const peers: unknown[] = [];
  const server = createServer({ cert: servers.cert, key: servers.key }, (request, response) => {
    peers.push((request.socket as TLSSocket).getPeerX509Certificate());
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.closeAllConnections() ?? server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  expect(await send(egressWith(first), url)).toMatchObject({ statusCode: 204 });
  expect(peers).toEqual([undefined]);
});

test('files that do not match are logged without the key, and the previous ones are used', async () => {
  const receiver = await requiring('TLSv1.3');
  const egress = egressWith(first);
  copyFileSync(second.keyFile, mounted().clientKeyFile);
  await until(() => egress.lines.some((line) => line.includes('files are invalid')), {
    what: 'a warning',
  });
  expect(await send(egress, receiver.url)).toMatchObject({ statusCode: 204 });
  expect(receiver.presented).toEqual([fingerprint(first)]);
  const secret = second.key.split('\n')[1]!;
  expect(egress.lines.join('')).not.toContain(secret);
});

test('a metric shows when the certificate expires', async () => {
  const end = new X509Certificate(first.cert).validToDate.getTime() / 1000;
  const shown = await egressWith(first).metrics.getSingleMetricAsString(
    'tls_certificate_expires_seconds',
  );
  expect(shown).toMatch(new RegExp(`file="client_certificate".* ${end}$`));
});

describe('a process does not start', () => {
  const started = (files: Partial<ReturnType<typeof mounted>>) => () =>
    watchClientCertificate({ ...mount(first), ...files }, telemetryOf().telemetry);

  test.each([
    ['without the key', { clientKeyFile: '' }],
    ['without the certificate', { clientCertFile: '' }],
  ])('%s', (_, files) => {
    expect(started(files)).toThrow(
      'WEBHOOKS_CLIENT_CERT_FILE and WEBHOOKS_CLIENT_KEY_FILE: set both or none',
    );
  });

  test('with a certificate for servers alone', () => {
    const files = {
      clientCertFile: join(dir, 'server.pem'),
      clientKeyFile: join(dir, 'server.key'),
    };
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
    request.push('-nodes', '-subj', '/CN=test', '-addext', 'extendedKeyUsage=serverAuth');
    const out = ['-out', files.clientCertFile, '-keyout', files.clientKeyFile];
    execFileSync('openssl', [...request, ...out], { stdio: 'pipe', timeout: 10_000 });
    expect(started(files)).toThrow('not for TLS clients');
  });

  test('with the key of another certificate', () => {
    expect(started({ clientKeyFile: second.keyFile })).toThrow(/CLIENT_KEY_FILE: .*mismatch/);
  });
});
