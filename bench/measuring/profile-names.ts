/** The names of profiled processes, by process id, in a file of the folder PROFILE. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (folder: string): string => join(folder, 'processes.txt');

/** Names a process whose profile will be in the folder; nothing where there is no folder. */
export const nameProcess = (
  pid: number,
  name: string,
  folder: string | undefined = process.env.PROFILE,
): void => {
  if (folder) appendFileSync(fileIn(folder), `${pid} ${name}\n`);
};

export const namesIn = (folder: string): ReadonlyMap<string, string> => {
  if (!existsSync(fileIn(folder))) return new Map();
  const lines = readFileSync(fileIn(folder), 'utf8').split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
};
