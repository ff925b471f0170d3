/** CPU time of everything that this program's machine does, by program, as the kernel counts it (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import { cpuMicrosIn } from '../measuring/process-cpu.ts';

/** Milliseconds of CPU of each program since it started. */
export type CpuTimes = Readonly<Record<string, number>>;

/** What a process is called here: a service by its name, a store by its command. */
const nameOf = (pid: string, command: string, services: Readonly<Record<string, string>>) => {
  if (services[pid]) return services[pid];
  const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  if (line.includes('fairness/hostile')) return 'the hostile client';
  if (line.includes('bench/fairness')) return 'the calm clients';
  return line.includes('kafka.Kafka') ? 'kafka' : command;
};

/** @param services names by process id. */
export const cpuTimes = (services: Readonly<Record<string, string>>): CpuTimes => {
  const times: Record<string, number> = {};
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, command = ''] = /\((.*)\)/.exec(stat) ?? [];
      const name = nameOf(pid, command, services);
      times[name] = (times[name] ?? 0) + cpuMicrosIn(stat) / 1000;
    } catch {} // it has ended
  return times;
};

/** Percent of one core that each program took, the most first; what took less than 1 % is left out. */
export const cpuShares = (before: CpuTimes, after: CpuTimes, ms: number): string =>
  Object.entries(after)
    .map(([name, time]) => [name, (100 * (time - (before[name] ?? 0))) / ms] as const)
    .filter(([, share]) => share >= 1)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => `${name} ${share.toFixed(0)}`)
    .join(', ');
