import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where a program stands on the PATH, if it does. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);

export interface Java {
  readonly command: string;
  /** 17 of `17.0.15`, 8 of `1.8.0_402`. */
  readonly major: number;
}

/** The Java that Maven would take too: JAVA_HOME's, else the one on the PATH. */
export const findJava = async (): Promise<Java | undefined> => {
  const home = process.env.JAVA_HOME;
  const command = home ? join(home, 'bin/java') : findProgram('java');
  if (command === undefined || !isProgram(command)) return undefined;
  try {
    const { stderr } = await run(command, ['-version'], { timeout: 20_000 });
    const version = /version "(?:1\.)?(\d+)/.exec(stderr);
    return version ? { command, major: Number(version[1]) } : undefined;
  } catch {
    return undefined; // macOS has a /usr/bin/java that only says where to get one
  }
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
