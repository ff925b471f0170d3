import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
export const lockFolder = (dir: string): FolderLock => {
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
