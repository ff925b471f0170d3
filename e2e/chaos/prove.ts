/**
 * `npm run chaos:mutants -- [--runs N] [--minutes M] NAME...`: breaks safety mechanisms of
 * tools/mutants one at a time in a scratch copy and runs the workload against the copy, with up to
 * N seeds, until it reports a violation. Exits 1 when a mechanism was broken without one.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from '../../tools/mutants/mutant.ts';
import { makeScratch } from '../../tools/mutants/scratch.ts';
import { mutants } from '../../tools/mutants/table.ts';

const runMaxMs = 15 * 60_000;

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const chosen = positionals.map((name) => {
  const found = mutants.find((mutant) => mutant.name === name);
  if (!found) throw new Error(`there is no mutant ${name}`);
  return found;
});
const scratch = makeScratch(join(import.meta.dirname, '..', '..'));

/** Runs the workload with one seed after another until it reports a violation. */
const find = (mutant: Mutant): boolean => {
  const say = (line: string) => process.stdout.write(`${mutant.name.padEnd(28)} ${line}\n`);
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.runs); seed++) {
    const words = ['e2e/chaos/run.ts', '--seed', `${seed}`, '--minutes', values.minutes];
    const options = { cwd: scratch.dir, timeout: runMaxMs, maxBuffer: 1 << 26 };
    const run = spawnSync(process.execPath, words, { ...options, encoding: 'utf8' });
    const violations = run.stdout.match(/^VIOLATION .*$/gm) ?? [];
    // whether the mutant caused them is for the reader to judge
    for (const violation of violations) say(`seed ${seed}: ${violation.slice(0, 300)}`);
    if (violations.length > 0) return true;
    if (run.status !== 0) say(`seed ${seed}: no report: ${run.stderr.slice(-500)}`);
  }
  say('not found');
  return false;
};

try {
  const found: boolean[] = [];
  for (const mutant of chosen)
    found.push(await scratch.whileBroken(mutant, async () => find(mutant)));
  process.exitCode = found.every((one) => one) ? 0 : 1;
} finally {
  scratch.remove();
}
