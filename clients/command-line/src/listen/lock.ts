/**
 * One `pto listen` per feed: two would forward each event twice. Each process writes a file of its
 * own name before it looks for those of others, so of two that start together none overlooks the
 * other, and the removal of a file that a killed process left never hits a running one.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: looks at processes, writes nothing
import { kill, pid as ownPid } from 'node:process';
import { WrongUsage } from '../failure.ts';
import { readPrivate, writePrivate } from '../private-file.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The URL that its events go to, without its query, which can have a token. */
  readonly forwardTo: string;
}

/**
 * Locks a feed for this process.
 * @param position path of the feed's position; the lock lies beside it.
 * @returns a function that ends the lock.
 * @throws WrongUsage while another process has the lock, or if it cannot be written.
 */
export const lockFeed = (position: string, forwardTo: string): (() => void) => {
  const own = `${lockPrefix(position)}${randomUUID()}.lock`;
  const path = join(dirname(position), own);
  const { origin, pathname } = new URL(forwardTo);
  const holder: Holder = {
    pid: ownPid,
    host: hostname(),
    forwardTo: `${origin}${pathname}`,
  };
  writePrivate(path, holder);
  const release = () => rmSync(path, { force: true });
  try {
    requireAlone(position, own);
  } catch (error) {
    release();
    throw error;
  }
  return release;
};

const lockPrefix = (position: string): string => `${basename(position, '.json')}.`;

/** Removes the locks of ended processes. @throws WrongUsage if a running one has a lock. */
const requireAlone = (position: string, own: string): void => {
  const folder = dirname(position);
  for (const name of readdirSync(folder)) {
    if (name === own || !name.startsWith(lockPrefix(position)) || !name.endsWith('.lock')) continue;
    const path = join(folder, name);
    const holder = readPrivate(path) as Holder | undefined;
    if (holder === undefined) continue;
    if (hasEnded(holder)) rmSync(path, { force: true });
    else
      throw new WrongUsage(
        `Process ${holder.pid} on ${holder.host} forwards these events to ${holder.forwardTo} already. End it first. If it is no pto listen, remove ${path}.`,
      );
  }
};

/** Whether a process is known to have ended. One of another machine is not. */
const hasEnded = ({ pid, host }: Holder): boolean => {
  if (host !== hostname()) return false;
  // a container restarts with the same process id
  if (pid === ownPid) return true;
  try {
    kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};
