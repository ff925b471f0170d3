/** What a benchmark reports: lines for people, and a message to the suite that has started it. */
import { isDeepStrictEqual } from 'node:util';
import { type CpuMicros, watchOthers } from './process-cpu.ts';

/** One side's figures: times in ms, null if the side has none; CPU time for one operation. */
export interface Measured {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly cpuMicros: CpuMicros;
}

export interface Outcome {
  /**
   * Of operations per second, or for R4 of p95. Null where there is no other side, or the run is
   * void.
   */
  readonly ratio: {
    readonly median: number;
    readonly lowest: number;
    readonly highest: number;
  } | null;
  /** What it is to reach. */
  readonly goal: string | null;
  readonly ours: Measured | null;
  readonly theirs: Measured | null;
  /** How long each side was measured at a time; null for a void run. */
  readonly sampleMs: number | null;
}

export interface Result extends Outcome {
  readonly what: string;
  /** Share of the machine's CPU time that processes outside of the benchmark took; null: unknown. */
  readonly othersShare: number | null;
  /** Why the run is void; null if it is valid. */
  readonly void: string | null;
}

/** The outcome of a void run. */
export const noOutcome: Outcome = {
  ratio: null,
  goal: null,
  ours: null,
  theirs: null,
  sampleMs: null,
};

/** A line for people. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs a measurement and reports its result, with the share of the machine that other processes took
 * meanwhile. A void run is reported as such and makes the exit code 1; another error is thrown.
 */
export const reporting = async (what: string, measure: () => Promise<Outcome>): Promise<void> => {
  say(what);
  const others = watchOthers();
  let result: Result;
  try {
    result = { what, ...(await measure()), othersShare: others(), void: null };
  } catch (error) {
    if (!(error instanceof VoidRun)) throw error;
    result = { what, ...noOutcome, othersShare: others(), void: error.message };
    say(`  void: ${error.message}`);
    process.exitCode = 1;
  }
  say(`  other processes took ${Math.round(result.othersShare! * 100)} % of the machine`);
  process.send?.(result);
};

/** The sides of a measurement did not do the same work, or not all of it. */
export class VoidRun extends Error {}

/** @throws VoidRun if the two sides respond with different data. */
export const requireSameResponses = (ours: unknown, theirs: unknown): void => {
  if (!isDeepStrictEqual(ours, theirs))
    throw new VoidRun(
      `the responses differ: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`,
    );
};

/** @throws VoidRun if the store has another number of rows than the side's operations wrote. */
export const requireRows = (side: string, operations: number, rows: number): void => {
  if (rows !== operations)
    throw new VoidRun(`${side}: ${operations} operations wrote ${rows} rows`);
};

/** @throws VoidRun for a response with another status than the expected one. */
export const requireStatus = (what: string, expected: number, status: number): void => {
  if (status !== expected) throw new VoidRun(`${what}: status ${status} instead of ${expected}`);
};
