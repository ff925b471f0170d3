import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freePort, raw, stores, testDatabase, tlsEnvironment, until } from '@pto/testing';
import { call } from './gateway-service.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

test('a gateway process writes nothing but JSON lines, from its start to its end', async () => {
  const database = await testDatabase('access');
  const [http, admin] = await Promise.all([freePort(), freePort()]);
  const { NODE_OPTIONS: _, ...environment } = process.env; // it suppresses warnings in tests
  const gateway = spawn(process.execPath, [main], {
    env: {
      ...environment,
      ENVIRONMENT: 'sandbox',
      DATABASE_URL: database.serviceUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      REDIS_URL: stores().redis ?? '',
      ORDERS_ADDRESS: 'ipv4:127.0.0.1:1',
      ACCESS_URL: 'https://127.0.0.1:1',
      CUSTODY_ADDRESS: 'ipv4:127.0.0.1:1',
      WEBHOOKS_ADDRESS: 'ipv4:127.0.0.1:1',
      COURIER_ADDRESS: 'ipv4:127.0.0.1:1',
      ...tlsEnvironment('gateway'),
      BIND_HOST: '127.0.0.1',
      HTTP_PORT: `${http}`,
      ADMIN_PORT: `${admin}`,
    },
  });
  let written = '';
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.on('data', (bytes) => {
      written += bytes;
    });
  try {
    const origin = `http://127.0.0.1:${http}`;
    await until(async () => (await call('GET', `${origin}/openapi.json`)).status === 200, {
      what: `a started gateway; it wrote ${written}`,
    });
    for (const path of ['/verify', '/verify/certificate.ts', '/openapi.json', '/nowhere'])
      await call('GET', origin + path);
    // the only process without an RPC server reports when its certificate expires, too
    const { text: metrics } = await call('GET', `http://127.0.0.1:${admin}/metrics`);
    expect(metrics).toMatch(/tls_certificate_expires_seconds\{[^}]*file="certificate"/);
    await raw(http, ['no HTTP\r\n\r\n']);
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
  } finally {
    gateway.kill('SIGKILL');
    await database.drop();
  }
  const lines = written.trim().split('\n');
  const isJson = (line: string) => {
    try {
      return typeof JSON.parse(line) === 'object';
    } catch {
      return false;
    }
  };
  expect(lines.filter((line) => !isJson(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(5);
}, 60_000);
