import { readFile } from 'node:fs/promises';
import type { Sql } from '@pto/database';
import { cpuMicrosIn } from '../measuring/process-cpu.ts';

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

const processMicros = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat === '' ? 0 : cpuMicrosIn(stat);
};
