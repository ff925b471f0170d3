import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { kafkaMark } from './kafka/kafka.ts';
import { endLeftovers } from './leftovers.ts';
import { postgresMark } from './postgres/postgres.ts';
import { stagedCluster } from './postgres/postgres-binary.ts';
import { forgetCluster } from './postgres/postgres-cluster.ts';
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
