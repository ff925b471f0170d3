import { readFile } from 'node:fs/promises';
import type { Sql } from '@pto/database';

/** Linux counts a process's CPU time in ticks of 10 ms. */
const tickMicros = 10_000;

/**
 * CPU time of the PostgreSQL backends that serve the connection's database, by process id, in µs.
 * Empty where PostgreSQL runs on another machine or the system has no /proc.
 */
export const backendCpu = async (sql: Sql): Promise<ReadonlyMap<number, number>> => {
  const rows = await sql.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const times = await Promise.all(
    rows.map(async ({ pid }) => [pid, await processMicros(pid)] as const),
  );
  return new Map(times.filter(([, micros]) => micros > 0));
};

/** What each process has used since, in µs; a process that ended since counts as none. */
export const microsSince = (
  before: ReadonlyMap<number, number>,
  now: ReadonlyMap<number, number>,
): number => [...now].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0);

/** User and system time: fields 14 and 15 of /proc/PID/stat, behind the name in parentheses. */
const processMicros = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * tickMicros;
};
