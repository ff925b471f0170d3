import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { WrongUsage } from '../failure.ts';
import { readPrivate, stateFolder, writePrivate } from '../private-file.ts';

/** Whose events are read. */
export interface Feed {
  readonly baseUrl: string;
  readonly organization: string;
  readonly environment: string;
}

/** How far a feed was forwarded. */
export interface Progress {
  /** Number of the last event that was forwarded. */
  readonly after: number;
  /** Number of an event whose forward began and was not recorded as complete; else null. */
  readonly forwarding: number | null;
}

/** The stored position of a feed. */
export interface Position {
  readonly path: string;
  /** @throws WrongUsage for a file that is unreadable or malformed. */
  read(): Progress | undefined;
  write(progress: Progress): void;
}

/** Returns the position of a feed; each feed has a file of its own. */
export const positionOf = (environment: NodeJS.ProcessEnv, feed: Feed): Position => {
  const { baseUrl, organization, environment: of } = feed;
  const name = createHash('sha256')
    .update(JSON.stringify([baseUrl, organization, of]))
    .digest('hex')
    .slice(0, 32);
  const path = join(stateFolder(environment), `listen-${name}.json`);
  return {
    path,
    read: () => {
      const stored = readPrivate(path);
      return stored === undefined ? undefined : checked(path, stored as Partial<Progress>);
    },
    write: (progress) => writePrivate(path, { ...feed, ...progress }),
  };
};

const checked = (path: string, { after, forwarding }: Partial<Progress>): Progress => {
  if (!isNumber(after) || !(forwarding === null || isNumber(forwarding)))
    throw new WrongUsage(`${path} is no position: remove it, or give --after.`);
  return { after, forwarding };
};

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
