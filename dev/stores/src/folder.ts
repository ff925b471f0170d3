import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardLabel } from './guards.ts';
import { kafkaMark } from './kafka/kafka.ts';
import { postgresMark } from './postgres/postgres.ts';
import { stagedCluster } from './postgres/postgres-binary.ts';
import { forgetCluster } from './postgres/postgres-cluster.ts';
import { endProcess, listProcesses, type RunningProcess } from './processes.ts';
import { redisMark } from './redis.ts';

/**
 * Locks the folder for this process and ends the processes that an earlier run left.
 * @throws Error if another process holds the lock, or if processes of the last run do not end.
 */
export const claimFolder = async (
  dir: string,
  onProgress: (line: string) => void,
): Promise<FolderLock> => {
  mkdirSync(dir, { recursive: true });
  const at = realpathSync(dir);
  const lock = lockFolder(at);
  const clusters = [join(at, 'postgres'), stagedCluster(at)].map(postgresMark);
  try {
    await endLeftovers(at, [...clusters, redisMark(at), kafkaMark(at)], onProgress);
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
};

/**
 * Removes all files of the stores in a folder. Only the process that has claimed the folder may
 * call this.
 */
export const forgetStores = (dir: string): void => {
  const at = realpathSync(dir);
  forgetCluster(at);
  for (const name of ['kafka', 'kafka.properties', 'redis', 'logs']) {
    rmSync(join(at, name), { recursive: true, force: true });
  }
};

export interface FolderLock {
  release(): void;
}

/**
 * References to the open locks: without a reference, the garbage collector would close a lock and
 * so release it.
 */
const held = new Set<DatabaseSync>();

/**
 * Locks the folder for this process. The lock is SQLite's file lock. The kernel releases it however
 * the process ends, so no lock of an ended process remains.
 * @throws Error naming the holder if another process holds the lock.
 */
const lockFolder = (dir: string): FolderLock => {
  mkdirSync(dir, { recursive: true });
  const holder = join(dir, 'lock.pid');
  const database = new DatabaseSync(join(dir, 'lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error; // any error but SQLITE_BUSY
    throw new Error(
      `${dir} is in use by another process (${readHolder(holder)}): stop that one, or take another folder`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
};

const readHolder = (path: string): string => {
  try {
    return `process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    return 'process unknown';
  }
};

const guardsEndWithinMs = 25_000;

/**
 * Waits until the guards that an earlier, killed run left in this folder have ended their
 * processes. A process whose guard was killed too is found by a text of `marks` in its command
 * line; this function ends the process. Only the holder of the folder's lock may call this
 * function, so each process found belongs to an earlier run.
 * @throws Error if a guard still runs after 25 s.
 */
const endLeftovers = async (
  dir: string,
  marks: readonly string[],
  onProgress: (line: string) => void,
): Promise<void> => {
  const label = guardLabel(dir, '');
  const deadline = performance.now() + guardsEndWithinMs;
  for (let reported = false; (await othersWith([label])).length > 0; reported = true) {
    if (performance.now() > deadline)
      throw new Error(`processes of the last run on ${dir} do not end`);
    if (!reported) onProgress('waiting for the processes of the last run to end');
    await sleep(100);
  }
  for (const { pid } of await othersWith(marks)) await endProcess(pid, 'SIGTERM', 10_000);
};

const othersWith = async (pieces: readonly string[]): Promise<RunningProcess[]> =>
  (await listProcesses()).filter(
    ({ pid, args }) => pid !== process.pid && pieces.some((piece) => args.includes(piece)),
  );
