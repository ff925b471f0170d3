/** What a benchmark reports to the suite: with `--json`, one line of JSON on standard output. */

import { median, type Sample } from './sample.ts';

/** All samples of one side. */
export interface Measured extends Sample {
  readonly name: string;
  /** Where a benchmark has a goal for it. */
  readonly p95Ms?: number;
}

export interface Result {
  readonly what: string;
  /**
   * Of operations per second, of p50, or for R4 of p95. Null where there is no other side, or the
   * run is void.
   */
  readonly ratio: {
    readonly median: number;
    readonly lowest: number;
    readonly highest: number;
  } | null;
  readonly ours: Measured | null;
  readonly theirs: Measured | null;
  /** How long each side was measured at a time; null without another side. */
  readonly sampleMs: number | null;
  /** Share of the machine's CPU time that processes outside of the benchmark took; null: unknown. */
  readonly othersShare: number | null;
  /** Why the run is void; null if it is valid. */
  readonly void: string | null;
}

/** The medians of a side's samples, and the means of its CPU times. */
export const measuredOf = (name: string, samples: readonly Sample[]): Measured => {
  const names = new Set(samples.flatMap(({ cpuMicros }) => Object.keys(cpuMicros)));
  const of = (key: 'perSecond' | 'p50Ms' | 'p99Ms') =>
    median(samples.map((one) => one[key]).filter((value) => value !== null));
  return {
    name,
    perSecond: of('perSecond') ?? 0,
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicros: Object.fromEntries(
      [...names].map((process) => [
        process,
        samples.reduce((sum, one) => sum + (one.cpuMicros[process] ?? 0), 0) / samples.length,
      ]),
    ),
  };
};

export const isForMachines = process.argv.includes('--json');

/** A line for people: on standard error where standard output is for machines. */
export const say = (line: string): void => {
  (isForMachines ? process.stderr : process.stdout).write(`${line}\n`);
};
