import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TestRun {
  readonly passed: boolean;
  /** Whether it was ended because it took too long. */
  readonly timedOut: boolean;
  readonly failedTests: number;
  /** Paths of the test files that ran, and of those that failed. */
  readonly files: readonly string[];
  readonly failed: readonly string[];
}

/** Runs the tests of a checkout. A run that does not end in time has failed. */
export const runTests = async (
  dir: string,
  patterns: readonly string[],
  options: { env: NodeJS.ProcessEnv; maxMs: number; workers: number },
): Promise<TestRun> => {
  const report = join(dir, 'test-run.json');
  rmSync(report, { force: true });
  const flags = [`--maxWorkers=${options.workers}`, '--silent', '--passWithNoTests=false'];
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
