import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentityFiles } from '@pto/authority';
import { guardLabel, type Stores } from '@pto/stores';
import type { OperatorCommand } from '../operators/operator-command.ts';
import type { Organization } from '../operators/organizations.ts';
import type { PlannedProcess } from '../processes/plan.ts';
import type { DatabaseUrls } from '../processes/stack-settings.ts';
import { readJson, writePrivateJson } from '../secrets/private-file.ts';

/**
 * The content of `mesh.json`, for people, tests and benchmarks. The file exists only while the
 * local stack is ready.
 */
export interface StackFile {
  readonly baseUrl: string;
  readonly environment: string;
  readonly gateways: readonly string[];
  /** Where operators open the console. They sign in with a token, such as OPERATOR_TOKEN below. */
  readonly consoleUrl: string;
  readonly organizations: readonly Organization[];
  readonly operator: OperatorCommand;
  readonly stores: {
    /**
     * URLs by name of the database, each with the role of the database's service. The key
     * `superuser` has the superuser's URL, which names no service's database.
     */
    readonly postgres: Readonly<
      Record<'access' | 'orders' | 'custody' | 'webhooks' | 'superuser', string>
    >;
    readonly redis: string | null;
    readonly kafka: readonly string[];
    /** Process ids of the stores that this stack started. */
    readonly pids: Readonly<Record<string, number>>;
  };
  readonly services: readonly (Omit<PlannedProcess, 'env' | 'publicUrl'> & {
    readonly pid: number;
  })[];
  readonly receiver: IdentityFiles;
  readonly mailDir: string;
}

const stackFilePath = (dir: string): string => join(dir, 'mesh.json');

export const readStackFile = (dir: string): StackFile | undefined =>
  readJson<StackFile>(stackFilePath(dir));

export const writeStackFile = (dir: string, stack: StackFile): void =>
  writePrivateJson(stackFilePath(dir), stack);

/** Removes the file: the local stack is no longer ready. */
export const removeStackFile = (dir: string): void => rmSync(stackFilePath(dir), { force: true });

export const describeStores = (
  stores: Stores,
  databases: Readonly<Record<string, DatabaseUrls>>,
): StackFile['stores'] => {
  const urls = Object.entries(databases).map(([name, { serviceUrl }]) => [name, serviceUrl]);
  const { postgres, redis, kafka } = stores;
  const pids = {
    ...(postgres.pid && { postgres: postgres.pid }),
    ...(redis?.pid && { redis: redis.pid }),
    ...(kafka?.pid && { kafka: kafka.pid }),
  };
  return {
    postgres: Object.fromEntries([...urls, ['superuser', postgres.url]]),
    redis: redis?.url ?? null,
    kafka: kafka?.brokers ?? [],
    pids,
  };
};

export const describeServices = (
  plan: readonly PlannedProcess[],
  pids: readonly number[],
): StackFile['services'] =>
  plan.map(({ env: _, publicUrl: __, ...one }, i) => ({ ...one, pid: pids[i] ?? 0 }));

/**
 * Waits for the end of the shell's input, which comes when this process ends for any reason, then
 * removes the file.
 */
const script = 'read -r _; rm -f "$1"';

/**
 * Starts a shell that removes mesh.json even if this process is killed, so that no client uses the
 * file of a stack that has ended. The next start waits for this shell as for any process of the
 * folder.
 * @returns a function that ends the shell, which then removes mesh.json.
 */
export const watchStackFile = (dir: string): (() => Promise<void>) => {
  const words = ['-c', script, guardLabel(dir, 'mesh.json'), stackFilePath(dir)];
  const watchman = spawn('/bin/sh', words, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal must not end the shell
  });
  const gone = new Promise<void>((resolve) => {
    watchman.once('error', () => resolve()).once('exit', () => resolve());
  });
  watchman.stdin.on('error', () => {});
  return () => {
    watchman.stdin.end();
    return gone;
  };
};
