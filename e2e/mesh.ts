/** The local stack, started like `npm start` in a folder of its own, and used over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { cleanEnvironment } from './clean-environment.ts';
import type { MeshFile } from './mesh-file.ts';

const launcher = new URL('../local/src/main.ts', import.meta.url).pathname;
const usualStartMaxMs = 90_000;
const stopMaxMs = 30_000;

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
    /** Whether the bus is Kafka, if there is Java; else it is in PostgreSQL and starts faster. */
    kafka?: boolean;
  } = {},
): Promise<Mesh> => {
  const standing = process.env.MESH_FILE;
  if (standing) return standingMesh(standing);
  const dir = options.dir ?? meshFolder();
  const args = [launcher, '--dir', dir, '--port', '0', ...(options.args ?? ['--no-demo'])];
  const child = spawn(process.execPath, args, {
    env: {
      ...cleanEnvironment(),
      FORBID_OUTSIDE_CALLS: '1',
      ...(options.kafka === false && { JAVA_HOME: join(dir, 'no-java') }),
      ...options.env,
    },
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

/** Waits until every process is up again and says that it is ready. */
export const settled = (mesh: Mesh): Promise<true> =>
  until(
    async () => {
      const asked = mesh.file().services.map(({ healthUrl }) => fetch(healthUrl));
      return (await Promise.all(asked)).every((answer) => answer.ok);
    },
    { deadlineMs: 60_000, what: 'all services to be ready again' },
  );
