import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { makeAuthority, until } from '@pto/testing';
import { startHttpsServer } from '../src/calls/https-server.ts';
import type { OperatorsSettings } from '../src/config.ts';

const [first, second] = [makeAuthority(), makeAuthority()];
const dir = mkdtempSync(join(tmpdir(), 'pto-operators-'));
const [operatorsCertFile, operatorsKeyFile] = [join(dir, 'tls.crt'), join(dir, 'tls.key')];
const settings = {
  ...{ host: '127.0.0.1', operatorsPort: 0, operatorsCertFile, operatorsKeyFile },
  ...{ tlsReloadMs: 20, trustedProxies: new BlockList() },
} as OperatorsSettings;
afterAll(() => {
  first.forget();
  second.forget();
  rmSync(dir, { recursive: true });
});
const mount = ({ certFile, keyFile }: typeof first) => {
  copyFileSync(certFile, operatorsCertFile);
  copyFileSync(keyFile, operatorsKeyFile);
};

/** Returns the fingerprint of the certificate that the server presents to a new connection. */
const presented = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on('error', reject);
  });

test('a renewed certificate is presented without a restart, and a broken one is not', async () => {
  mount(first);
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'test', write: (line) => lines.push(line) });
  const https = await startHttpsServer((_, response) => response.end(), settings, telemetry);
  try {
    const before = await presented(https.port);
    writeFileSync(operatorsCertFile, 'no certificate');
    await until(() => lines.some((line) => line.includes('the previous one stays in use')), {
      what: 'the warning',
    });
    expect(await presented(https.port)).toBe(before);
    mount(second);
    await until(async () => (await presented(https.port)) !== before, { what: 'the new one' });
  } finally {
    await https.stop();
  }
});

test('a pair that does not match is no valid setting', async () => {
  copyFileSync(first.certFile, operatorsCertFile);
  copyFileSync(second.keyFile, operatorsKeyFile);
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  await expect(startHttpsServer(() => {}, settings, telemetry)).rejects.toThrow(
    'OPERATORS_TLS_CERT_FILE, OPERATORS_TLS_KEY_FILE: ',
  );
});
