/** The local stack, started like `npm start` in a folder of its own, and used over HTTP. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { type Clients, openClients } from '../operator/src/clients.ts';

const launcher = new URL('../local/src/main.ts', import.meta.url).pathname;
const usualStartMaxMs = 90_000;
const stopMaxMs = 30_000;

/** `D/mesh.json`, as far as these tests read it. */
export interface MeshFile {
  readonly baseUrl: string;
  readonly gateways: readonly string[];
  readonly organizations: readonly {
    id: string;
    name: string;
    keys: Readonly<Record<'all' | 'read' | 'write' | 'webhooks', string>>;
  }[];
  readonly operator: {
    command: readonly string[];
    cwd: string;
    env: Readonly<Record<string, string>>;
  };
  readonly stores: {
    postgres: Readonly<Record<'access' | 'orders' | 'custody' | 'webhooks' | 'superuser', string>>;
    redis: string | null;
    kafka: readonly string[];
    pids: Readonly<Record<string, number>>;
  };
  readonly services: readonly {
    name: string;
    replica: number;
    pid: number;
    internalUrl: string;
    metricsUrl: string;
    healthUrl: string;
  }[];
  readonly receiver: { caFile: string; certFile: string; keyFile: string };
}

export interface Mesh {
  readonly dir: string;
  /** Read afresh: process ids change when a service is started again. */
  file(): MeshFile;
  readonly launcher: ChildProcess;
  readonly output: () => string;
  /** Like Ctrl-C. @returns the launcher's exit code. */
  stop(): Promise<number | null>;
  forget(): void;
}

/** Without the settings of the test runner's environment. */
const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS, LOCAL_DIR, PORT, NODE_OPTIONS, ...rest } =
    process.env;
  return rest;
};

export const meshFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-mesh-'));
  chmodSync(dir, 0o755);
  return dir;
};

/** A deployment elsewhere, such as in a cluster, described by the file that MESH_FILE names. */
const standingMesh = (path: string): Mesh => {
  const dir = meshFolder();
  return {
    dir,
    file: () => JSON.parse(readFileSync(path, 'utf8')) as MeshFile,
    get launcher(): never {
      throw new Error('nobody here has started that mesh');
    },
    output: () => '',
    stop: async () => 0,
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};

/** Starts the launcher and waits for `mesh.json`, as everybody else may. */
export const startMesh = async (
  options: {
    dir?: string;
    args?: readonly string[];
    env?: NodeJS.ProcessEnv;
    startMaxMs?: number;
  } = {},
): Promise<Mesh> => {
  const standing = process.env.MESH_FILE;
  if (standing) return standingMesh(standing);
  const dir = options.dir ?? meshFolder();
  const args = [launcher, '--dir', dir, '--port', '0', ...(options.args ?? ['--no-demo'])];
  const child = spawn(process.execPath, args, {
    env: { ...cleanEnvironment(), FORBID_OUTSIDE_CALLS: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += part;
    });
  const path = join(dir, 'mesh.json');
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(
    () => {
      if (child.exitCode !== null) throw new Error('the launcher ended');
      return existsSync(path);
    },
    { deadlineMs: options.startMaxMs ?? usualStartMaxMs, what: 'mesh.json' },
  ).catch((cause) => {
    child.kill('SIGINT');
    throw new Error(`the local stack did not start: ${output}`, { cause });
  });
  return {
    dir,
    file: () => JSON.parse(readFileSync(path, 'utf8')) as MeshFile,
    launcher: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMaxMs);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
    forget: () => rmSync(dir, { recursive: true, force: true }),
  };
};

/** Runs the operator's command line. @returns what it printed as JSON, and its exit code. */
export const operator = (mesh: Mesh, ...words: readonly string[]): Promise<Printed> =>
  operatorAs(mesh, mesh.file().operator.env.OPERATOR_TOKEN ?? '', words);

interface Printed {
  readonly code: number;
  readonly json: never;
  readonly stderr: string;
}

/** The same, with another operator's token. */
export const operatorAs = (mesh: Mesh, token: string, words: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const { command, cwd, env: given } = mesh.file().operator;
    const env = { ...given, OPERATOR_TOKEN: token };
    const [program, ...rest] = command;
    execFile(
      program!,
      [...rest, '--json', ...words],
      { cwd, env: { ...cleanEnvironment(), ...env }, timeout: 60_000, maxBuffer: 64 << 20 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
          json: (stdout === '' ? null : JSON.parse(stdout)) as never,
          stderr,
        }),
    );
  });

const opened = new WeakMap<Mesh, Clients>();

/** The operator's clients, without a process for each command. */
export const operatorClients = (mesh: Mesh): Clients => {
  const clients = opened.get(mesh) ?? openClients({ ...mesh.file().operator.env });
  opened.set(mesh, clients);
  return clients;
};

/** Waits until every process is up again and says that it is ready. */
export const settled = (mesh: Mesh): Promise<true> =>
  until(
    async () => {
      const asked = mesh.file().services.map(({ healthUrl }) => fetch(healthUrl));
      return (await Promise.all(asked)).every((answer) => answer.ok);
    },
    { deadlineMs: 60_000, what: 'all services to be ready again' },
  );
