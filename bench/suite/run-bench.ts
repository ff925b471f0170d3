import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noOutcome, type Result } from '../measuring/report.ts';
import type { Bench } from './benches.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** A result with the bench that it belongs to. */
export interface SuiteResult extends Result {
  readonly bench: Bench;
}

const failed = (bench: Bench, reason: string): SuiteResult => ({
  bench,
  what: bench.ratio,
  ...noOutcome,
  othersShare: null,
  void: reason,
});

/**
 * Runs the program of a bench. Its progress goes to standard error.
 * @param profiles folder for V8's profiles of all its Node processes.
 * @returns its results, and one that says so if the program failed.
 */
export const runBench = async (
  bench: Bench,
  profiles: string | undefined,
): Promise<SuiteResult[]> => {
  if (profiles) mkdirSync(profiles, { recursive: true });
  const child = fork(join(folder, bench.file), {
    env: {
      ...process.env,
      // PROFILE is for the local stack, which takes no NODE_OPTIONS of this process
      ...(profiles && {
        PROFILE: profiles,
        NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}`,
      }),
    },
    stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
  });
  const results: SuiteResult[] = [];
  child.on('message', (result: Result) => results.push({ bench, ...result }));
  const [code] = await once(child, 'close');
  const explained = results.some((result) => result.void !== null);
  if (code !== 0 && !explained) results.push(failed(bench, `the program ended with ${code}`));
  if (results.length === 0) results.push(failed(bench, 'the program reported nothing'));
  return results;
};
