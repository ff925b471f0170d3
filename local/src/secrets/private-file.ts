import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes JSON that only this user may read. The write is atomic: a reader sees either the new file
 * or the old one, each complete.
 */
export const writePrivateJson = (path: string, value: unknown): void => {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(part, 0o600); // a run that was killed may have left this file with other rights
  renameSync(part, path);
};

/**
 * Reads JSON; undefined if the file does not exist.
 * @throws Error naming a file that is not JSON.
 */
export const readJson = <T>(path: string): T | undefined => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${path} is not JSON: repair it, or start with --fresh`);
  }
};
