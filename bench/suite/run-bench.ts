import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameProcess } from '../measuring/profile-names.ts';
import type { Result } from '../measuring/result.ts';
import type { Bench } from './benches.ts';
import { foldProfiles } from './fold-profiles.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** A result with the bench that it belongs to. */
export interface SuiteResult extends Result {
  readonly bench: Bench;
}

const failed = (bench: Bench, reason: string): SuiteResult => ({
  bench,
  what: bench.ratio,
  ratio: null,
  ours: null,
  theirs: null,
  sampleMs: null,
  othersShare: null,
  void: reason,
});

/**
 * Runs the program of a bench. Its progress goes to standard error.
 * @param profiles folder for V8's profiles of all its Node processes and their folded stacks.
 * @returns its results, and one that says so if the program is missing or failed.
 */
export const runBench = async (
  bench: Bench,
  profiles: string | undefined,
): Promise<SuiteResult[]> => {
  const file = join(folder, bench.file);
  if (!existsSync(file)) return [failed(bench, `bench/${bench.file} does not exist`)];
  if (profiles) mkdirSync(profiles, { recursive: true });
  const child = spawn(process.execPath, [file, '--json'], {
    env: {
      ...bench.defaults,
      ...process.env,
      ...bench.env,
      ...(profiles && profiling(profiles)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (profiles) nameProcess(child.pid!, basename(bench.file, '.ts'), profiles);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    output += part;
  });
  const [code] = await once(child, 'close');
  if (profiles) foldProfiles(profiles);
  const results = output
    .split('\n')
    .filter((line) => line.startsWith('{"what":')) // other lines are logs of libraries
    .map((line): SuiteResult => ({ bench, ...JSON.parse(line) }));
  const explained = results.some((result) => result.void !== null);
  if (code !== 0 && !explained) results.push(failed(bench, `the program ended with ${code}`));
  if (results.length === 0) results.push(failed(bench, 'the program reported nothing'));
  return results;
};

/** PROFILE is for the local stack, which takes no NODE_OPTIONS of this process. */
const profiling = (dir: string) => ({
  PROFILE: dir,
  NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${dir}`,
});
