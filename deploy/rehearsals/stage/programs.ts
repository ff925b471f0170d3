import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** @returns where a program of Debian is. @throws Error naming the package to install. */
export const needProgram = (name: string, debianPackage = name): string => {
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(`needs ${name}: apt-get install ${debianPackage}`);
};
