import type { Invariant } from './violation.ts';

/** More than three times what a process of the local stack takes under this load. */
export const residentMaxBytes = 600 * 2 ** 20;

/** No process's resident memory exceeded the bound at any sample. */
export const noProcessGrew: Invariant = ({ processes }) =>
  processes
    .filter(({ rssMaxBytes }) => rssMaxBytes > residentMaxBytes)
    .map(({ name, pid, rssMaxBytes }) => `${name} (${pid}) took ${rssMaxBytes} bytes`);
