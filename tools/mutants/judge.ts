import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';
import type { Scratch } from './scratch.ts';

const testMaxMs = 300_000;
const unbrokenMaxMs = 3_600_000;

type Outcome = 'killed' | 'SURVIVED' | 'tests did not run';

export interface Result {
  readonly name: string;
  readonly mechanism: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/**
 * Runs the tests of all mutants once on the code as it is.
 * @throws Error with the files that fail there.
 */
export const requireUnbroken = async (
  scratch: Scratch,
  mutants: readonly Mutant[],
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const patterns = [...new Set(mutants.flatMap(({ tests }) => tests))];
  const run = await runTests(scratch.dir, patterns, { env, maxMs: unbrokenMaxMs, workers: 2 });
  if (!run.passed)
    throw new Error(`without a mutant fail: ${run.failed.join(', ') || 'files that do not run'}`);
};

/** A broken build or a missing module kills nothing: a test has to fail, or to end too late. */
const outcomeOf = (run: Awaited<ReturnType<typeof runTests>>): Outcome => {
  if (run.passed) return 'SURVIVED';
  return run.timedOut || run.failed.length > 0 ? 'killed' : 'tests did not run';
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

/**
 * Runs the tests of a checkout. A run that does not end in time has failed.
 * @returns the paths of the files with a failed test, too.
 */
const runTests = async (
  dir: string,
  patterns: readonly string[],
  options: { env: NodeJS.ProcessEnv; maxMs: number; workers: number; named?: string | undefined },
): Promise<{ passed: boolean; timedOut: boolean; failed: readonly string[] }> => {
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
  return { passed: code === 0, timedOut, failed: failedIn(report) };
};

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const failedIn = (path: string): string[] => {
  if (!existsSync(path)) return []; // the run was killed
  const { testResults }: Report = JSON.parse(readFileSync(path, 'utf8'));
  return testResults
    .filter((file) => file.assertionResults.some(({ status }) => status === 'failed'))
    .map(({ name }) => name);
};
