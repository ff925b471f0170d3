/** CPU time of this process, its descendants and the complete machine, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** µs of CPU time by the name of the process. */
export type CpuMicros = Readonly<Record<string, number>>;

/** Linux counts CPU time in ticks of 10 ms. */
const tickMicros = 10_000;

/**
 * User and system time in µs of a process and those of its children that have ended: fields 14 to
 * 17 of its /proc/PID/stat.
 */
export const cpuMicrosWithEnded = (stat: string): number =>
  fieldsOf(stat)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) * tickMicros;

/** The process id of the parent: field 4. */
export const parentIn = (stat: string): number => Number(fieldsOf(stat)[1]);

/** The name in parentheses, as the kernel cuts it. */
export const nameIn = (stat: string): string =>
  stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly micros: number;
}

/** The process and its descendants. */
export const treeOf = (root: number): Running[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [command, parent] = [nameIn(stat), parentIn(stat)];
        return [{ pid: Number(pid), parent, command, micros: cpuMicrosWithEnded(stat) }];
      } catch {
        return []; // it has ended
      }
    });
  const known = new Set([root]);
  for (let size = 0; size < known.size; ) {
    size = known.size;
    for (const { pid, parent } of all) if (known.has(parent)) known.add(pid);
  }
  return all.filter(({ pid }) => known.has(pid));
};

/** Programs of others by the first letters of their commands. */
const programNames = {
  postgres: 'postgres',
  'redis-server': 'redis',
  java: 'kafka',
};

const names = new Map<number, string>();

/** Names a process of a measurement. */
export const nameProcess = (pid: number, name: string): void => void names.set(pid, name);

/** The name of a process: a named one, a store, or this process, which is `node`; else undefined. */
const nameOf = ({ pid, command }: Running): string | undefined => {
  if (pid === process.pid) return 'node';
  const [, program] =
    Object.entries(programNames).find(([start]) => command.startsWith(start)) ?? [];
  return names.get(pid) ?? program;
};

/** Adds up a figure of this process and of all its descendants that have a name, by name. */
export const sumByName = (figureOf: (one: Running) => number): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const one of treeOf(process.pid)) {
    const name = nameOf(one);
    if (name !== undefined) sums[name] = (sums[name] ?? 0) + figureOf(one);
  }
  return sums;
};

/** CPU time so far of this process and of all its descendants that have a name. */
export const cpuNow = (): CpuMicros => {
  const { user, system } = process.cpuUsage();
  return { ...sumByName(({ micros }) => micros), node: user + system };
};

/**
 * What each process used since, by name.
 * @param counted the names of the processes that count; all by default.
 */
export const cpuSince = (before: CpuMicros, counted?: readonly string[]): CpuMicros =>
  Object.fromEntries(
    Object.entries(cpuNow())
      .filter(([name]) => counted?.includes(name) ?? true)
      .map(([name, micros]) => [name, micros - (before[name] ?? 0)]),
  );

export const sumOf = (micros: CpuMicros): number =>
  Object.values(micros).reduce((sum, used) => sum + used, 0);

/** CPU times of at least 1 µs, the most first, or the largest one where all are less. */
export const cpuText = (micros: CpuMicros): string => {
  const sorted = Object.entries(micros).sort(([, a], [, b]) => b - a);
  return sorted
    .filter(([, used], n) => n === 0 || used >= 1)
    .map(([name, used]) => `${name} ${used.toFixed(used < 10 ? 1 : 0)}`)
    .join(', ');
};

/** Time that the machine's cores have worked: user, nice, system, irq, softirq and steal. */
export const busyMicrosIn = (stat: string): number => {
  const [, user, nice, system, , , irq, softirq, steal] = stat.split('\n', 1)[0]!.split(/ +/);
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, n) => sum + Number(n), 0);
  return ticks * tickMicros;
};

const reading = () => ({
  at: performance.now(),
  busy: busyMicrosIn(readFileSync('/proc/stat', 'utf8')),
  own: treeOf(process.pid).reduce((sum, { micros }) => sum + micros, 0),
});

/** The share of the machine that others took between two readings: 0 to 1. */
export const shareOfOthers = (
  before: ReturnType<typeof reading>,
  now: ReturnType<typeof reading>,
  cores: number,
): number => {
  const others = now.busy - before.busy - (now.own - before.own);
  return Math.min(1, Math.max(0, others / ((now.at - before.at) * 1000 * cores)));
};

/** Watches the machine from now on. @returns the share that others took meanwhile. */
export const watchOthers = (): (() => number) => {
  const begun = reading();
  return () => shareOfOthers(begun, reading(), availableParallelism());
};
