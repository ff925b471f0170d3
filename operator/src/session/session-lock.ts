import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const waitMaxMs = 20_000;
/** Longer than a refresh can take: an older lock is of a process that was killed. */
const abandonedAfterMs = 30_000;
const pollMs = 50;

/**
 * Runs work while no other command refreshes the same session: providers may accept a refresh token
 * once only. @throws Error after 20 s.
 */
export const withSessionLock = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  const lock = `${path}.lock`;
  const deadline = Date.now() + waitMaxMs;
  while (!acquire(lock)) {
    if (Date.now() > deadline) throw new Error(`${lock} is held by another command; remove it`);
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
    // the other command has just removed it
  }
  return false;
};
