import { readFileSync } from 'node:fs';
import { nameOf, treeOf } from './process-cpu.ts';

/**
 * Resident memory of each of these processes in MiB. Memory that several processes share counts once
 * (Linux, proportional set size).
 */
export const residentMiB = (counted: readonly string[]): Readonly<Record<string, number>> => {
  const mib: Record<string, number> = {};
  for (const one of treeOf(process.pid)) {
    const name = nameOf(one);
    if (name === undefined || !counted.includes(name)) continue;
    mib[name] = (mib[name] ?? 0) + kibibytesOf(one.pid) / 1024;
  }
  return mib;
};

/** Returns the proportional set size of a process; 0 if it has ended. */
const kibibytesOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};
