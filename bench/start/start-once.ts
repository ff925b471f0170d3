import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

const environmentOf = (pid: number): NodeJS.ProcessEnv =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

/** Linux counts CPU time in hundredths of a second. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const residentKibOf = (pid: number): number => {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib);
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};
