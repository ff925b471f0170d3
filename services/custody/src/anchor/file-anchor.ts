import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Anchor, mergeNotes, newer, recentMs, sizeOf } from './anchor.ts';

const tailBytes = 64 * 1024;

/**
 * Opens an anchor in files: hourly notes in the file `path`, other notes in a file per day beside
 * `path` (`NAME.recent-YYYY-MM-DD`, UTC). Each note is one line of JSON and is flushed to disk. If
 * a crash left an incomplete line, the next append adds the missing newline. The incomplete line
 * does not count as a note.
 */
export const fileAnchor = (path: string): Anchor => {
  const days = async (): Promise<string[]> => {
    const names = await readdir(dirname(path)).catch(() => []);
    const prefix = `${basename(path)}${recent}`;
    return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(-dayLength));
  };
  const fileOf = (day: string): string => (day === '' ? path : `${path}${recent}${day}`);

  const newestOf = async (day: string): Promise<string | null> =>
    (await tailOf(fileOf(day)))
      .split('\n')
      .map(noteOf)
      .findLast((note) => note !== null) ?? null;
  const last = async (): Promise<string | null> => {
    const newestDay = (await days()).sort().at(-1);
    const [hourly, other] = [await newestOf(''), newestDay ? await newestOf(newestDay) : null];
    return newer(hourly, other);
  };
  const removeOldDays = async (now: number): Promise<void> => {
    const oldest = new Date(now - recentMs).toISOString().slice(0, dayLength);
    for (const day of await days()) if (day < oldest) await rm(fileOf(day), { force: true });
  };

  return {
    last,
    append: async (note, hourly) => {
      const stored = hourly ? await newestOf('') : await last();
      const [size, newest] = [sizeOf(note), sizeOf(stored)];
      if (newest === size && stored !== note)
        throw new Error(`the anchor holds another checkpoint over ${size} leaves`);
      if (newest >= size) return;
      const now = Date.now();
      const day = hourly ? '' : new Date(now).toISOString().slice(0, dayLength);
      await appendLine(fileOf(day), JSON.stringify({ note }));
      await removeOldDays(now);
    },
    notes: async function* (behind) {
      // bytes read of each file, by its day; the day of the file with the hourly notes is empty
      const offsets: Record<string, number> = behind === '' ? {} : JSON.parse(behind);
      const names = ['', ...(await days()).sort()];
      const streams = names.map((day) => readNotes(day, fileOf(day), offsets[day] ?? 0));
      try {
        for await (const { note, day, end } of mergeNotes(streams)) {
          offsets[day] = end;
          yield { note, mark: JSON.stringify(offsets) };
        }
      } finally {
        for (const stream of streams) await stream.return(undefined);
      }
    },
    close: () => {},
  };
};

const recent = '.recent-';
const dayLength = 'YYYY-MM-DD'.length;

/** Opens the file for reading; null if it does not exist. */
const openExisting = (file: string): Promise<FileHandle | null> =>
  open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

const tailOf = async (file: string): Promise<string> => {
  const handle = await openExisting(file);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString();
  } finally {
    await handle.close();
  }
};

const appendLine = async (file: string, line: string): Promise<void> => {
  const text = await tailOf(file);
  const handle = await open(file, 'a');
  try {
    const closing = text === '' || text.endsWith('\n') ? '' : '\n';
    await handle.write(`${closing}${line}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
};

async function* readNotes(
  day: string,
  file: string,
  from: number,
): AsyncGenerator<{ note: string; day: string; end: number }, undefined> {
  const handle = await openExisting(file);
  if (!handle) return;
  try {
    let end = from;
    for await (const line of handle.readLines({ start: from, autoClose: false })) {
      end += Buffer.byteLength(line) + 1;
      const note = noteOf(line);
      if (note !== null) yield { note, day, end };
    }
  } finally {
    await handle.close();
  }
}

const noteOf = (line: string): string | null => {
  try {
    const { note } = JSON.parse(line) as { note?: unknown };
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
};
