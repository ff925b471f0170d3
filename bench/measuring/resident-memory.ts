import { readFileSync } from 'node:fs';
import { sumByName } from './process-cpu.ts';

/**
 * Resident memory of each of these processes in MiB. Memory that several processes share counts once
 * (Linux, proportional set size).
 */
export const residentMiB = (counted: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(sumByName(({ pid }) => kibibytesOf(pid) / 1024)).filter(([name]) =>
      counted.includes(name),
    ),
  );

/** Returns the proportional set size of a process; 0 if it has ended. */
const kibibytesOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};
