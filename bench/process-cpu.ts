/** Linux counts a process's CPU time in ticks of 10 ms. */
const tickMicros = 10_000;

/**
 * User and system time of a process in µs: fields 14 and 15 of its /proc/PID/stat, behind the name
 * in parentheses.
 */
export const cpuMicrosIn = (stat: string): number => ticksIn(stat, 11) * tickMicros;

/** The same of a process and those of its children that have ended: fields 14 to 17. */
export const cpuMicrosWithEnded = (stat: string): number =>
  (ticksIn(stat, 11) + ticksIn(stat, 13)) * tickMicros;

/** Two neighboring fields, counted from the one behind the name. */
const ticksIn = (stat: string, first: number): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[first]) + Number(fields[first + 1]);
};
