/** The local stack, started like `npm start` in a folder of its own, and used over HTTP. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pto/testing';
import type { StackFile } from '../local/src/stack/stack-file.ts';

const launcher = new URL('../local/src/main.ts', import.meta.url).pathname;
const usualStartMaxMs = 90_000;
/** The parts of a stack end one after another: processes within 13 s, stores within 25 s. */
const stopMaxMs = 60_000;

/** Without the settings of the test runner's environment. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS, LOCAL_DIR, PORT, NODE_OPTIONS, ...rest } =
    process.env;
  return rest;
};

const plenty = '1000000';
/** Settings for the local stack's environment: limits that no test reaches. */
export const unlimited = {
  GATEWAY_READS_PER_MINUTE: plenty,
  GATEWAY_WRITES_PER_MINUTE: plenty,
  GATEWAY_FAILED_AUTH_PER_MINUTE: plenty,
  GATEWAY_REJECTED_PER_MINUTE: plenty,
  OPERATORS_FAILED_AUTH_PER_MINUTE: plenty,
  GATEWAY_REQUESTS_IN_FLIGHT: '1000',
  WEBHOOKS_PROBES_PER_HOST_PER_MINUTE: plenty,
};

export const stackFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-mesh-'));
  chmodSync(dir, 0o755);
  return dir;
};

export interface StartOptions {
  readonly dir?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly startMaxMs?: number;
  /** Whether the bus is Kafka, if there is Java; else it is in PostgreSQL and starts faster. */
  readonly kafka?: boolean;
}

/** Starts the launcher and waits for `mesh.json`, as everybody else may. */
export const startLocalStack = async (options: StartOptions = {}) => {
  const dir = options.dir ?? stackFolder();
  const args = [launcher, '--dir', dir, '--port', '0', ...(options.args ?? ['--no-demo'])];
  const log = join(dir, 'launcher.log');
  const written = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    env: {
      ...cleanEnvironment(),
      FORBID_OUTSIDE_CALLS: '1',
      ...(options.kafka === false && { JAVA_HOME: join(dir, 'no-java') }),
      ...options.env,
    },
    stdio: ['ignore', written, written],
  });
  closeSync(written);
  child.unref(); // the shared stack outlives the process that has started it
  writeFileSync(join(dir, 'launcher.pid'), `${child.pid}`);
  const output = () => readFileSync(log, 'utf8');
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
    throw new Error(`the local stack did not start: ${output()}`, { cause });
  });
  return {
    dir,
    /** Read afresh: process ids change when a service is started again. */
    file: () => JSON.parse(readFileSync(path, 'utf8')) as StackFile,
    /** What the launcher has printed. */
    output,
    /** Of the launcher; 0 where somebody else has started it. */
    pid: child.pid!,
    /** Like Ctrl-C. @returns the launcher's exit code. */
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

export type LocalStack = Awaited<ReturnType<typeof startLocalStack>>;

/** Waits until every process is up again and says that it is ready. */
export const settled = (stack: LocalStack, deadlineMs = 60_000): Promise<true> =>
  until(
    async () => {
      const asked = stack.file().services.map(({ healthUrl }) => fetch(healthUrl));
      return (await Promise.all(asked)).every((answer) => answer.ok);
    },
    { deadlineMs, what: 'all services to be ready again' },
  );
