/** The processor time of test files: a worker writes a line a file, the reporter of the run adds them up. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run without stores, such as that of `e2e/faults`, has no folder and measures nothing. */
const fileOf = (): string | undefined => {
  const folder = process.env.PTO_TEST_DIR;
  return folder && join(folder, 'cpu.jsonl');
};

/**
 * Seconds of processor time that this process has taken with the ended processes it has waited for, and
 * theirs. A process that still runs, such as a store or the shared stack, does not count. Outside of Linux
 * no other process counts.
 */
export const cpuSeconds = (): number => {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  // the fields behind the name in parentheses: user, system, and those of waited-for children
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticksPerSecond = 100;
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

export const writeCpuTime = (path: string, seconds: number): void => {
  const file = fileOf();
  if (file) appendFileSync(file, `${JSON.stringify({ path, seconds })}\n`);
};

export const readCpuTimes = (): readonly { readonly path: string; readonly seconds: number }[] => {
  const file = fileOf();
  if (!file || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};
