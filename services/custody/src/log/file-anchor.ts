import { open } from 'node:fs/promises';
import type { Anchor } from './anchor.ts';

const tailBytes = 64 * 1024;

/**
 * An anchor in a file: one line of JSON a note, written through to the disk. A line that a crash cut
 * off is closed by the next append, and is no note.
 */
export const fileAnchor = (path: string): Anchor => {
  const tail = async (): Promise<string> => {
    const file = await open(path, 'a+');
    try {
      const { size } = await file.stat();
      const length = Math.min(size, tailBytes);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString();
    } finally {
      await file.close();
    }
  };
  return {
    last: async () =>
      (await tail())
        .split('\n')
        .map(noteOf)
        .findLast((note) => note !== null) ?? null,
    append: async (note) => {
      const text = await tail();
      const file = await open(path, 'a');
      try {
        const closing = text === '' || text.endsWith('\n') ? '' : '\n';
        await file.write(`${closing}${JSON.stringify({ note })}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    notes: async function* (behind) {
      const file = await open(path, 'a+');
      try {
        let end = Number(behind); // in bytes
        for await (const line of file.readLines({ start: end, autoClose: false })) {
          end += Buffer.byteLength(line) + 1;
          const note = noteOf(line);
          if (note !== null) yield { note, mark: String(end) };
        }
      } finally {
        await file.close();
      }
    },
    close: () => {},
  };
};

const noteOf = (line: string): string | null => {
  try {
    const { note } = JSON.parse(line) as { note?: unknown };
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
};
