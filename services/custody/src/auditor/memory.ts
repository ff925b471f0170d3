import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

/** What the auditor has seen, kept where who holds the database cannot reach it. */
export interface Memory {
  /** Keys that it believes: those of the first checkpoint that it saw, and those they vouched for. */
  readonly vkeys: readonly string[];
  /** The newest checkpoint that it has seen and found good. */
  readonly note: string | null;
}

/** The memory in that file; an auditor's first one is empty. @throws Error for a file that is none */
export const recall = (path: string): Memory => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { vkeys: [], note: null };
    throw error;
  }
  const { vkeys, note } = JSON.parse(text) as Memory;
  return { vkeys, note };
};

/** Writes it whole or not at all. */
export const remember = async (path: string, memory: Memory): Promise<void> => {
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(memory));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
};
