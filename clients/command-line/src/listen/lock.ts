/**
 * One `pto listen` per feed: two would forward each event twice. Each process writes a file of its
 * own name before it looks for those of others, so of two that start together none overlooks the
 * other, and the removal of a file that a killed process left never hits a running one.
 *
 * The file is a lease: its process renews it, and a file that is not renewed has no owner. Renewals
 * are observed, so no clocks are compared but those of one file system.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the id of this process, writes nothing
import { pid } from 'node:process';
import { note } from '@pto/terminal';
import { wait } from '../../../typescript/src/http/retry.ts';
import { Failed, WrongUsage } from '../failure.ts';
import { readPrivate, writePrivate } from '../private-file.ts';
import { hasEnded, type Place, thisPlace } from './process-place.ts';

interface Holder extends Place {
  readonly host: string;
  /** The URL that its events go to, without its query, which can have a token. */
  readonly forwardTo: string;
}

export interface FeedLock {
  /** Renews the lease. @throws Failed if another process has taken over. */
  renew(): void;
  release(): void;
}

/** Time in ms between two renewals, and until a lease without one has expired. */
const renewMs = 2000;
const leaseMs = 15_000;
const lookMs = 250;

/**
 * Locks a feed for this process.
 * @param position path of the feed's position; the lock lies beside it.
 * @param lost is called if another process has taken over, as after a stop of more than 15 s.
 * @throws WrongUsage while another process has the lock, or if it cannot be written; the reason of
 *   the signal.
 */
export const lockFeed = async (
  position: string,
  forwardTo: string,
  { signal, lost }: { signal: AbortSignal; lost: (error: Failed) => void },
): Promise<FeedLock> => {
  const path = join(dirname(position), `${lockPrefix(position)}${randomUUID()}.lock`);
  const { origin, pathname } = new URL(forwardTo);
  const holder: Holder = {
    ...thisPlace(pid),
    ...{ host: hostname(), forwardTo: `${origin}${pathname}` },
  };
  writePrivate(path, holder);
  const renew = () => renewFile(path);
  const timer = setInterval(() => {
    try {
      renew();
    } catch (error) {
      lost(error as Failed);
    }
  }, renewMs);
  const release = () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
  try {
    await requireAlone(position, path, signal);
  } catch (error) {
    release();
    throw error;
  }
  return { renew, release };
};

const lockPrefix = (position: string): string => `${basename(position, '.json')}.`;

/** Sets the time of the file by a write: it is then the file system's, as that of every lock. */
const renewFile = (path: string): void => {
  try {
    const file = openSync(path, 'r+');
    try {
      writeSync(file, '{');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Failed(
        'Another pto listen has taken over these events while this one was stopped.',
      );
    // a full disk does not end the forwarding
  }
};

/** Removes the locks without an owner. @throws WrongUsage if one has an owner. */
const requireAlone = async (position: string, own: string, signal: AbortSignal): Promise<void> => {
  const folder = dirname(position);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === own || !name.startsWith(lockPrefix(position)) || !name.endsWith('.lock')) continue;
    const holder = readPrivate(path) as Holder | undefined;
    if (holder === undefined) continue;
    if (!(await isRenewed(path, holder, own, signal))) rmSync(path, { force: true });
    else
      throw new WrongUsage(
        `Process ${holder.pid} on ${holder.host} forwards these events to ${holder.forwardTo} already. End it first.`,
      );
  }
};

/** Waits for a renewal of the lock, at most until its lease has expired. */
const isRenewed = async (
  path: string,
  holder: Holder,
  own: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const [first, begun] = [writtenAt(path), performance.now()];
  if (first === null || hasEnded(holder, pid)) return false;
  const leftMs = leaseMs - ((writtenAt(own) ?? first) - first);
  if (leftMs > renewMs * 2) note(`looks for the pto listen of ${holder.host}, at most 15 s`);
  while (performance.now() - begun < leftMs) {
    await wait(lookMs, signal);
    const now = writtenAt(path);
    if (now === null || hasEnded(holder, pid)) return false;
    if (now !== first) return true;
  }
  return false;
};

/** Returns the time of a file in ms, null without one. */
const writtenAt = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
