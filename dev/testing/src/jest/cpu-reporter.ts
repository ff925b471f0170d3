/**
 * Jest's reporter that prints the processor time of a run by folder. A complete run fails above the
 * budget: a test that needs more takes less elsewhere, or raises it here with its reason in the commit.
 */
import { relative } from 'node:path';
import { readCpuTimes } from './cpu-times.ts';

/** Seconds of a complete run, twice what a busy machine took (1,729). */
const budgetSeconds = 4000;
const completeFrom = 500;
const filesShown = 8;

type Times = ReturnType<typeof readCpuTimes>;

/** Returns the seconds of each folder of two names, the largest first. */
const byFolder = (times: Times): readonly (readonly [folder: string, seconds: number])[] => {
  const folders = new Map<string, number>();
  for (const { path, seconds } of times) {
    const folder = path.split('/').slice(0, 2).join('/');
    folders.set(folder, (folders.get(folder) ?? 0) + seconds);
  }
  return [...folders].toSorted(([, one], [, other]) => other - one);
};

const list = (entries: readonly (readonly [name: string, seconds: number])[]): string =>
  entries.map(([name, seconds]) => `${name} ${Math.round(seconds)}`).join(', ');

export default class CpuReporter {
  private error: Error | undefined;

  onRunComplete(): void {
    const times = readCpuTimes().map(({ path, seconds }) => ({
      path: relative(process.cwd(), path),
      seconds,
    }));
    if (times.length === 0) return;
    const sum = times.reduce((total, { seconds }) => total + seconds, 0);
    const slowest = times
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, filesShown)
      .map(({ path, seconds }) => [path, seconds] as const);
    process.stderr.write(
      `processor seconds: ${Math.round(sum)} (${list(byFolder(times))})\nmost: ${list(slowest)}\n`,
    );
    if (times.length < completeFrom || sum <= budgetSeconds) return;
    this.error = new Error(
      `The tests took ${Math.round(sum)} s of processor time. The budget is ${budgetSeconds} s.`,
    );
  }

  getLastError(): Error | undefined {
    return this.error;
  }
}
