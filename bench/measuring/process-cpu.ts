/** µs of CPU time by the name of the process. */
export type CpuMicros = Readonly<Record<string, number>>;

/** Linux counts a process's CPU time in ticks of 10 ms. */
export const tickMicros = 10_000;

/**
 * User and system time of a process in µs: fields 14 and 15 of its /proc/PID/stat, behind the name
 * in parentheses.
 */
export const cpuMicrosIn = (stat: string): number => ticksIn(stat, 11) * tickMicros;

/** The same of a process and those of its children that have ended: fields 14 to 17. */
export const cpuMicrosWithEnded = (stat: string): number =>
  (ticksIn(stat, 11) + ticksIn(stat, 13)) * tickMicros;

/** The process id of the parent: field 4. */
export const parentIn = (stat: string): number => Number(fieldsOf(stat)[1]);

/** The name in parentheses, as the kernel cuts it. */
export const nameIn = (stat: string): string =>
  stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));

/** What each process used since, by name. */
export const cpuSince = (before: CpuMicros, now: CpuMicros): CpuMicros =>
  Object.fromEntries(
    Object.entries(now).map(([name, micros]) => [name, micros - (before[name] ?? 0)]),
  );

/** CPU times of at least 1 µs, the most first, or the largest one where all are less. */
export const cpuText = (micros: CpuMicros): string => {
  const sorted = Object.entries(micros).sort(([, a], [, b]) => b - a);
  return sorted
    .filter(([, used], n) => n === 0 || used >= 1)
    .map(([name, used]) => `${name} ${used.toFixed(used < 10 ? 1 : 0)}`)
    .join(', ');
};

/** Two neighboring fields, counted from the one behind the name. */
const ticksIn = (stat: string, first: number): number => {
  const fields = fieldsOf(stat);
  return Number(fields[first]) + Number(fields[first + 1]);
};

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
