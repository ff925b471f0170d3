import type { Sql } from '@pto/database';
import { tileReader } from '../log/tile-store.ts';
import { rootAt } from '../log/tree.ts';
import { readCheckpoint } from '../notes/note-signer.ts';

/** Returns a sentence that says which of the signed notes the log contradicts; null if none. */
export const contradiction = async (
  sql: Sql,
  size: number,
  notes: readonly string[],
): Promise<string | null> => {
  const read = tileReader(sql);
  for (const note of new Set(notes)) {
    const before = readCheckpoint(note);
    if (before.size > size)
      return `the log has ${size} leaves, and a checkpoint over ${before.size} was signed before`;
    if (!Buffer.from(before.root).equals(await rootAt(read, before.size)))
      return `the first ${before.size} leaves are not those that were signed before`;
  }
  return null;
};
