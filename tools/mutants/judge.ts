import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';
import type { Scratch } from './scratch.ts';

const testMaxMs = 300_000;
const unbrokenMaxMs = 3_600_000;

export type Outcome = 'killed' | 'SURVIVED' | 'tests fail without it' | 'tests did not run';

export interface Result {
  readonly name: string;
  readonly mechanism: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/**
 * Runs the tests of all mutants once on the code as it is.
 * @returns whether the tests of a mutant pass there.
 * @throws Error where a pattern names no test file.
 */
export const passUnbroken = async (
  scratch: Scratch,
  mutants: readonly Mutant[],
  env: NodeJS.ProcessEnv,
): Promise<(mutant: Mutant) => boolean> => {
  const patterns = [...new Set(mutants.flatMap(({ tests }) => tests))];
  const run = await runTests(scratch.dir, patterns, { env, maxMs: unbrokenMaxMs, workers: 2 });
  const named = (files: readonly string[], pattern: string) =>
    files.some((file) => new RegExp(pattern, 'i').test(file));
  const missing = patterns.filter((pattern) => !named(run.files, pattern));
  if (missing.length > 0) throw new Error(`no test ran for ${missing.join(', ')}`);
  return ({ tests }) => !tests.some((pattern) => named(run.failed, pattern));
};

/** A broken build or a missing module kills nothing: a test has to fail, or to end too late. */
const outcomeOf = ({ passed, timedOut, failedTests }: TestRun): Outcome => {
  if (passed) return 'SURVIVED';
  return timedOut || failedTests > 0 ? 'killed' : 'tests did not run';
};

/** Breaks the mechanism and runs its tests. */
export const judge = async (
  scratch: Scratch,
  mutant: Mutant,
  env: NodeJS.ProcessEnv,
): Promise<Result> => {
  const begun = performance.now();
  const run = await scratch.whileBroken(mutant, () =>
    runTests(scratch.dir, mutant.tests, {
      env,
      maxMs: testMaxMs,
      workers: 1,
      named: mutant.named,
    }),
  );
  return {
    name: mutant.name,
    mechanism: mutant.mechanism,
    outcome: outcomeOf(run),
    seconds: Math.round((performance.now() - begun) / 1000),
  };
};

interface TestRun {
  readonly passed: boolean;
  /** Whether it was ended because it took too long. */
  readonly timedOut: boolean;
  readonly failedTests: number;
  /** Paths of the test files that ran, and of those that failed. */
  readonly files: readonly string[];
  readonly failed: readonly string[];
}

/** Runs the tests of a checkout. A run that does not end in time has failed. */
const runTests = async (
  dir: string,
  patterns: readonly string[],
  options: { env: NodeJS.ProcessEnv; maxMs: number; workers: number; named?: string | undefined },
): Promise<TestRun> => {
  const report = join(dir, 'test-run.json');
  rmSync(report, { force: true });
  const flags = [`--maxWorkers=${options.workers}`, '--silent', '--passWithNoTests=false'];
  if (options.named) flags.push(`--testNamePattern=${options.named}`);
  const words = ['test', '--', ...patterns, ...flags, '--json', `--outputFile=${report}`];
  const child = spawn('npm', words, {
    cwd: dir,
    env: options.env,
    stdio: 'ignore',
    detached: true,
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, options.maxMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  const { testResults: suites, numFailedTests: failedTests } = readReport(report);
  const failed = suites.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  return {
    passed: code === 0,
    timedOut,
    failedTests,
    files: suites.map(({ name }) => name),
    failed,
  };
};

interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly { name: string; status: string }[];
}

const readReport = (path: string): Report => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numFailedTests: 0, testResults: [] }; // the run was killed
  }
};
