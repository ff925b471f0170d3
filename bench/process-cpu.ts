/** Linux counts a process's CPU time in ticks of 10 ms. */
const tickMicros = 10_000;

/**
 * User and system time of a process in µs: fields 14 and 15 of its /proc/PID/stat, behind the name
 * in parentheses.
 */
export const cpuMicrosIn = (stat: string): number => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMicros;
};
