import { execFile } from 'node:child_process';
import type { ProcessName } from '@pto/proto/callers';
import { type ConnectServer, startConnectServer } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { tlsEnvironment, tlsOf } from '@pto/testing';

const program = new URL('../src/main.ts', import.meta.url).pathname;

/** Internal ports of a service, answered by the test. */
export const startServices = (
  name: ProcessName,
  implementations: Parameters<typeof startConnectServer>[0]['implementations'],
): Promise<ConnectServer> =>
  startConnectServer({
    host: '127.0.0.1',
    port: 0,
    tls: tlsOf(name),
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
    implementations,
  });

/** Runs the command line as an operator does, against services at these ports. */
export const runCommand = (
  ports: Readonly<Record<'gateway' | 'orders' | 'custody' | 'webhooks', number>>,
  words: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> => {
  const { NODE_OPTIONS, ...rest } = process.env;
  const urls = Object.entries(ports).map(([service, port]) => [
    `OPERATOR_${service.toUpperCase()}_URL`,
    `https://127.0.0.1:${port}`,
  ]);
  const env = { ...rest, ...Object.fromEntries(urls), ...tlsEnvironment('operator-gateway') };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
};
