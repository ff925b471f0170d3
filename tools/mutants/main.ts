/**
 * `npm run mutants [-- NAME...]`: breaks safety mechanisms one at a time in a scratch copy and runs
 * the tests that must notice. Fails on a mutant that survives. `--json` prints the results alone.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { breakMechanism, type Mutant } from './mutant.ts';
import { makeScratch } from './scratch.ts';
import { mutants } from './table.ts';

const testMaxMs = 300_000;

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !mutants.some((mutant) => mutant.name === name));
if (unknown.length > 0) {
  const names = mutants.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no mutant ${unknown.join(', ')}. There are: ${names}\n`);
  process.exit(2);
}

interface Result {
  readonly name: string;
  readonly mechanism: string;
  readonly outcome: 'killed' | 'SURVIVED' | 'tests fail without it';
  readonly seconds: number;
}

const root = join(import.meta.dirname, '..', '..');
const scratch = makeScratch(root);

/** A run that does not end in time counts as failed: the mutant has stopped it. */
const testsPass = ({ tests }: Mutant): boolean => {
  const words = ['test', '--', ...tests, '--maxWorkers=1', '--silent', '--passWithNoTests=false'];
  const run = spawnSync('npm', words, { cwd: scratch.dir, timeout: testMaxMs, encoding: 'utf8' });
  if (/No tests found/.test(run.stdout + run.stderr)) throw new Error(`no tests: ${tests}`);
  return run.status === 0;
};

/** Test patterns that pass on the code as it is. */
const passing = new Set<string>();
const passUnbroken = (mutant: Mutant): boolean => {
  const patterns = mutant.tests.join(' ');
  if (!passing.has(patterns) && testsPass(mutant)) passing.add(patterns);
  return passing.has(patterns);
};

const judge = (mutant: Mutant): Result => {
  const begun = performance.now();
  const original = scratch.read(mutant.file);
  const broken = breakMechanism(mutant, original);
  const alone = passUnbroken(mutant);
  scratch.replace(mutant.file, broken);
  const survived = alone && testsPass(mutant);
  scratch.replace(mutant.file, original);
  return {
    name: mutant.name,
    mechanism: mutant.mechanism,
    outcome: alone ? (survived ? 'SURVIVED' : 'killed') : 'tests fail without it',
    seconds: Math.round((performance.now() - begun) / 1000),
  };
};

const results: Result[] = [];
try {
  const chosen = mutants.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  for (const mutant of chosen) {
    const result = judge(mutant);
    results.push(result);
    const { name, outcome, seconds, mechanism } = result;
    if (!values.json)
      process.stdout.write(
        `${name.padEnd(28)} ${outcome.padEnd(22)} ${`${seconds} s`.padStart(6)}  ${mechanism}\n`,
      );
  }
} finally {
  scratch.remove();
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
process.exitCode = results.every(({ outcome }) => outcome === 'killed') ? 0 : 1;
