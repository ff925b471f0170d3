import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@pto/testing';
import { environmentOf } from '../http/environment-of.ts';
import { cpuMicrosIn } from '../measuring/process-cpu.ts';

/** How a pod's process is started: Node's arguments, and the folder of its compile cache. */
export interface Variant {
  readonly name: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly compileCache?: string;
}

/** Times in ms, memory in KiB. */
export interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly residentKib: number;
}

const pollMs = 5;
const deadlineMs = 30_000;

/**
 * Starts one more replica of a running service with its settings but its own ports, and stops the
 * replica once it is ready.
 * @throws Error if the replica ends before, or is not ready after 30 s.
 */
export const startOnce = async (
  pid: number,
  service: string,
  { cwd, args, compileCache }: Variant,
): Promise<Start> => {
  const admin = `${await freePort()}`;
  const ports = {
    ADMIN_PORT: admin,
    CONNECT_PORT: `${await freePort()}`,
    [service === 'gateway' ? 'HTTP_PORT' : 'GRPC_PORT']: `${await freePort()}`,
  };
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, ...settings } = environmentOf(pid);
  const env = { ...settings, ...ports, ...(compileCache && { NODE_COMPILE_CACHE: compileCache }) };
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    while (!(await isReady(`http://127.0.0.1:${admin}/readyz`))) {
      if (child.exitCode !== null) throw new Error(`${service} ended with ${child.exitCode}`);
      if (performance.now() - begun > deadlineMs) throw new Error(`${service} is not ready`);
      await sleep(pollMs);
    }
    const readyMs = performance.now() - begun;
    return { readyMs, cpuMs: cpuMsOf(child.pid!), residentKib: residentKibOf(child.pid!) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

const cpuMsOf = (pid: number): number =>
  cpuMicrosIn(readFileSync(`/proc/${pid}/stat`, 'utf8')) / 1000;

const residentKibOf = (pid: number): number => {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib);
};
