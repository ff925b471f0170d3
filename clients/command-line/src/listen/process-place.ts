/** Which process of which machine holds a lock. */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
// biome-ignore lint/style/noRestrictedImports: looks at processes, writes nothing
import { kill } from 'node:process';
import { readTextFileSync } from '@pto/terminal';

export interface Place {
  readonly pid: number;
  /** Where the id is valid: one boot of one machine and, on Linux, one container. */
  readonly ids: string;
}

/** Returns the place of this process. */
export const thisPlace = (pid: number): Place => ({ pid, ids: idsOfHere() });

/** Whether a process is known to have ended; not known is one of another machine or container. */
export const hasEnded = ({ pid, ids }: Place, ownPid: number): boolean => {
  if (ids !== idsOfHere()) return false;
  // a container that restarts gives the same id to the next process
  if (pid === ownPid) return true;
  try {
    kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

const idsOfHere = (): string => {
  try {
    const boot = readTextFileSync('/proc/sys/kernel/random/boot_id').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
};
