import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Takes a lock: a file with the id of its process. The lock of a process that ended is taken over.
 * @returns false while another process holds it.
 */
export const takeLock = (file: string): boolean => {
  if (createLock(file)) return true;
  if (isHeld(file)) return false;
  rmSync(file, { force: true });
  return createLock(file);
};

const createLock = (file: string): boolean => {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Also true for a file without an id, which its process is just writing. */
const isHeld = (file: string): boolean => {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
