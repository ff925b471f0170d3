/** A gateway beside the mesh, on its stores, with TLS on its internal wires: the mesh has none. */
import { spawn } from 'node:child_process';
import { freePort, makeAuthority, until } from '@pto/testing';
import type { Mesh } from './mesh.ts';

const main = new URL('../services/gateway/src/main.ts', import.meta.url).pathname;
/** Longer than any alert looks ahead. */
const days = 60;

export interface GatewayWithCertificates {
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

export const startGatewayWithCertificates = async (
  mesh: Mesh,
): Promise<GatewayWithCertificates> => {
  const authority = makeAuthority(['localhost'], days);
  const adminPort = await freePort();
  const nowhere = 'ipv4:127.0.0.1:1'; // it is asked for its metrics alone
  const child = spawn(process.execPath, [main], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      ENVIRONMENT: 'sandbox',
      DATABASE_URL: mesh.file().stores.postgres.access,
      REDIS_URL: mesh.file().stores.redis ?? '',
      ORDERS_ADDRESS: nowhere,
      CUSTODY_ADDRESS: nowhere,
      WEBHOOKS_ADDRESS: nowhere,
      TLS_CERT_FILE: authority.certFile,
      TLS_KEY_FILE: authority.keyFile,
      TLS_CA_FILE: authority.caFile,
      BIND_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      ADMIN_PORT: `${adminPort}`,
    },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const at = `http://127.0.0.1:${adminPort}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    authority.forget();
  };
  await until(async () => (await fetch(`${at}/readyz`)).ok, {
    deadlineMs: 30_000,
    what: 'the gateway with certificates',
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { metricsUrl: `${at}/metrics`, stop };
};
