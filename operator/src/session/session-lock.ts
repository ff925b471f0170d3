import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const waitMaxMs = 20_000;
/** Longer than a refresh takes: an older lock was left by a process that was killed. */
const abandonedAfterMs = 30_000;
const pollMs = 50;

/**
 * Runs work while no other command refreshes the same session, because providers may accept a
 * refresh token only once.
 * @throws Error if another command has the lock for 20 s.
 */
export const withSessionLock = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  const lock = `${path}.lock`;
  const deadline = performance.now() + waitMaxMs;
  while (!acquire(lock)) {
    if (performance.now() > deadline)
      throw new Error(`${lock}: another command has this lock. If none runs, delete the file`);
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
};

const acquire = (lock: string): boolean => {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - statSync(lock).mtimeMs > abandonedAfterMs) rmSync(lock, { force: true });
  } catch {
    // the other command has removed the lock meanwhile
  }
  return false;
};
