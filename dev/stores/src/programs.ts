import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the path of a program on the PATH; undefined if there is none. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);

export interface Java {
  readonly command: string;
  /** Major version: 17 for `17.0.15`, 8 for `1.8.0_402`. */
  readonly major: number;
}

/**
 * Returns the Java that Maven would use: from JAVA_HOME, otherwise from the PATH. Undefined if
 * there is none, or if it does not run.
 */
export const findJava = async (): Promise<Java | undefined> => {
  const home = process.env.JAVA_HOME;
  const command = home ? join(home, 'bin/java') : findProgram('java');
  if (command === undefined || !isProgram(command)) return undefined;
  try {
    const { stderr } = await run(command, ['-version'], { timeout: 20_000 });
    const version = /version "(?:1\.)?(\d+)/.exec(stderr);
    return version ? { command, major: Number(version[1]) } : undefined;
  } catch {
    return undefined; // without Java, macOS has a /usr/bin/java that only prints where to get one
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
