import { randomUUID } from 'node:crypto';
import { constants, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '@pto/config';
import type { BlobStore } from './blob-store.ts';

/** Folder of files that are being written, below the store's folder. */
const incoming = 'incoming';
/** Age after which an incoming file is left over from a process that ended while writing it. */
const leftOverMs = 3_600_000;

/**
 * Opens a store in a folder, one file of mode 0600 per name, in 256 folders of mode 0700.
 * @throws ConfigError if the folder cannot be created or written.
 */
export const openFolder = async (dir: string, maxBytes: number): Promise<BlobStore> => {
  try {
    await makeFolder(join(dir, incoming));
    await deleteLeftOvers(join(dir, incoming));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`ARTIFACTS_DIR: ${dir} is not a writable folder: ${code}`]);
  }
  const pathOf = (name: string): string => {
    const [orderId, sha256] = name.split('/');
    return join(dir, sha256!.slice(0, 2), `${orderId}.${sha256}`);
  };
  return {
    put: async (name, bytes) => {
      const path = pathOf(name);
      const part = join(dir, incoming, `${basename(path)}.${randomUUID()}`);
      await makeFolder(dirname(path));
      try {
        await writeDurably(part, bytes);
        await rename(part, path);
      } catch (error) {
        await unlink(part).catch(() => {});
        throw error;
      }
      await sync(dirname(path));
    },
    get: (name) => unlessAbsent(readAtMost(pathOf(name), maxBytes)),
    delete: async (name) => {
      const path = pathOf(name);
      const deleted = await unlessAbsent(unlink(path).then(() => true));
      if (deleted) await sync(dirname(path));
    },
    close: () => {},
  };
};

const makeFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await sync(dirname(first));
};

const deleteLeftOvers = async (folder: string): Promise<void> => {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const found = await unlessAbsent(stat(path));
    if (found && Date.now() - found.mtimeMs > leftOverMs) await unlessAbsent(unlink(path));
  }
};

const writeDurably = async (path: string, bytes: Buffer): Promise<void> => {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

const readAtMost = async (path: string, maxBytes: number): Promise<Buffer> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new Error(`${basename(path)} has ${size} bytes, at most ${maxBytes}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
};

/** Flushes a folder's entries to disk. */
const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Returns the result, or null if the file does not exist. */
const unlessAbsent = async <T>(result: Promise<T>): Promise<T | null> => {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
