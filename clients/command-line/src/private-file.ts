import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { readTextFileSync, UnreadableText } from '@pto/terminal';
import { WrongUsage } from './failure.ts';

/** Access of the group and of others. */
const notOwner = 0o077;

/** Returns the folder of credentials: `pto` below XDG_CONFIG_HOME, else below `~/.config`. */
export const configFolder = (environment: NodeJS.ProcessEnv): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pto');

/** Returns the folder of positions: `pto` below XDG_STATE_HOME, else below `~/.local/state`. */
export const stateFolder = (environment: NodeJS.ProcessEnv): string =>
  join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'pto');

/**
 * Writes JSON to a file that its owner alone reads, in one step: a reader finds the old content or
 * the new one.
 * @throws WrongUsage if the folder or the file cannot be written.
 */
export const writePrivate = (path: string, value: object): void => {
  const part = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new WrongUsage(`${path} cannot be written: ${(error as Error).message}`);
  }
};

/**
 * Reads a file of `writePrivate`; undefined if there is none.
 * @throws WrongUsage for a file that others can read, that is unreadable, or that is not JSON. The
 *   message has nothing of the content.
 */
export const readPrivate = (path: string): unknown => {
  try {
    if (platform() !== 'win32' && (statSync(path).mode & notOwner) !== 0)
      throw new WrongUsage(`Others can read ${path}. Execute: chmod 600 '${path}'`);
    return JSON.parse(readTextFileSync(path));
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    if (isMissing(error)) return undefined;
    if (error instanceof UnreadableText) throw new WrongUsage(error.message);
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongUsage(`${path} cannot be read${code ? ` (${code})` : ': it is not JSON'}.`);
  }
};

/** Whether there is no such file. */
const isMissing = (error: unknown): boolean => {
  const failed = error instanceof UnreadableText ? error.cause : error;
  return (failed as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
};

/** Removes a file. Returns whether there was one. */
export const removeFile = (path: string): boolean => {
  try {
    rmSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};
