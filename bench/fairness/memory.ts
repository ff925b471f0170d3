/** Resident memory of the local stack's processes, as the kernel counts it (Linux). */
import { readFileSync, writeFileSync } from 'node:fs';

interface Process {
  readonly name: string;
  readonly replica: number;
  readonly pid: number;
}

const mebibytes = (pid: number, field: 'VmHWM' | 'VmRSS'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
};

/** Forgets the peaks so far. */
export const resetPeaks = (processes: readonly Process[]): void => {
  for (const { pid } of processes) writeFileSync(`/proc/${pid}/clear_refs`, '5');
};

/** The peak of each process since its last reset, in MiB. */
export const peaks = (processes: readonly Process[]): { name: string; mebibytes: number }[] =>
  processes.map(({ name, replica, pid }) => ({
    name: `${name} ${replica}`,
    mebibytes: Math.round(mebibytes(pid, 'VmHWM')),
  }));
