import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  release(): void;
}

/** Kept here: a lock that the garbage collector closes would be no lock. */
const held = new Set<DatabaseSync>();

/**
 * Takes the folder for this process alone. The lock is SQLite's, which is the kernel's: it vanishes
 * with the process, however that ends, and cannot be stale.
 * @throws Error saying who holds it, if that is somebody else.
 */
export const lockFolder = (dir: string): FolderLock => {
  mkdirSync(dir, { recursive: true });
  const holder = join(dir, 'lock.pid');
  const database = new DatabaseSync(join(dir, 'lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error; // SQLITE_BUSY
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
