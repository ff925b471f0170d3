import { fork } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, until } from '@pto/testing';
import { stackCpu } from '../http/processes.ts';
import type { Prepared } from '../http/with-stack.ts';
import { cpuMicrosIn } from '../measuring/process-cpu.ts';
import { nameProcess } from '../measuring/profile-names.ts';

const program = fileURLToPath(new URL('gateway.ts', import.meta.url));

/** The settings of the stack's own gateway, as the kernel shows its environment (Linux). */
const gatewaySettings = ({ stack }: Prepared): Record<string, string> => {
  const { pid } = stack.file().services.find(({ name }) => name === 'gateway')!;
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    variables
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
};

/** Starts a gateway of its own on the stack's stores and services, and waits until it is ready. */
export const gatewaySide = async (prepared: Prepared, path: string, limited: boolean) => {
  const { stack, key } = prepared;
  const name = limited ? 'with rate limiter' : 'without';
  const [http, admin, connect] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...gatewaySettings(prepared),
    HTTP_PORT: `${http}`,
    ADMIN_PORT: `${admin}`,
    CONNECT_PORT: `${connect}`,
  };
  const log = openSync(join(stack.dir, `gateway-${limited}.log`), 'a');
  const child = fork(program, [JSON.stringify({ limited })], {
    env,
    stdio: ['ignore', log, log, 'ipc'],
  });
  nameProcess(child.pid!, `gateway-${name.replaceAll(' ', '-')}`);
  await until(async () => (await fetch(`http://127.0.0.1:${admin}/readyz`)).ok, {
    deadlineMs: 60_000,
    what: `a gateway ${name}`,
  });
  return {
    name,
    target: async () => ({
      url: `http://127.0.0.1:${http}/api/partner/v1${path}`,
      headers: { authorization: `Bearer ${key}` },
      status: 200,
    }),
    cpu: () => ({
      ...stackCpu(stack.file()),
      [`gateway ${name}`]: cpuMicrosIn(readFileSync(`/proc/${child.pid}/stat`, 'utf8')),
    }),
    common: (response: object) => response,
    close: () => child.disconnect(),
  };
};
