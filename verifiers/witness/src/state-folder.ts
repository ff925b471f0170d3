/**
 * Stores the newest cosigned checkpoint of one log durably. Each version is a file, numbered from
 * 1; the highest number is the current state. A version is written to a temporary file, flushed to
 * disk, and linked under its number; linking fails if the number is taken. So a crash leaves the
 * old or the new version, and if two processes use one folder, only one of them can write the
 * successor of a version.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface Version {
  /** Number of the version; 0 if nothing was cosigned yet. */
  readonly number: number;
  /** The cosigned note; null if nothing was cosigned yet. */
  readonly note: string | null;
}

export type StateFolder = Awaited<ReturnType<typeof openStateFolder>>;

/** Opens the folder of one log, and creates it if it does not exist. */
export const openStateFolder = async (folder: string) => {
  await mkdir(folder, { recursive: true });
  await sync(join(folder, '..'));
  // Removes temporary files that a crash has left. If another process is writing such a file now,
  // its write fails and it cosigns nothing.
  for (const name of await readdir(folder))
    if (name.startsWith('draft-')) await unlink(join(folder, name)).catch(() => {});

  const numbers = async (): Promise<number[]> =>
    (await readdir(folder))
      .map((name) => Number(/^(\d{12})\.checkpoint$/.exec(name)?.[1] ?? 0))
      .filter((number) => number > 0)
      .sort((a, b) => b - a);
  const pathOf = (number: number) => join(folder, `${String(number).padStart(12, '0')}.checkpoint`);

  return {
    /**
     * Reads the current version.
     * @throws Error if the folder cannot be read. The caller must then cosign nothing.
     */
    read: async (): Promise<Version> => {
      const [newest] = await numbers();
      if (newest === undefined) return { number: 0, note: null };
      return { number: newest, note: await readFile(pathOf(newest), 'utf8') };
    },
    /**
     * Stores a note durably as the version that follows the given one.
     * @throws Error if another process has already written a version after it. The caller must then
     *   cosign nothing.
     */
    write: async ({ number }: Version, note: string): Promise<void> => {
      const draft = join(folder, `draft-${randomUUID()}`);
      try {
        await writeDurably(draft, note);
        await link(draft, pathOf(number + 1));
      } finally {
        await unlink(draft).catch(() => {});
      }
      await sync(folder);
      // A process that read an old version can write a file under a number that was deleted here.
      // The check below then finds a higher number, and the process fails.
      const [newest, ...older] = await numbers();
      if (newest !== number + 1)
        throw new Error('another process cosigns with the same state folder');
      for (const old of older) await unlink(pathOf(old)).catch(() => {});
    },
  };
};

const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
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
