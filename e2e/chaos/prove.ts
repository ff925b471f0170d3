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
import type { Report } from './report.ts';

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

/** @returns the report, or null when the run ended without one: no proof either way. */
const runWorkload = (seed: number): Report | null => {
  const words = ['e2e/chaos/run.ts', '--json', '--seed', `${seed}`, '--minutes', values.minutes];
  const run = spawnSync(process.execPath, words, {
    cwd: scratch.dir,
    timeout: runMaxMs,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const line = run.stdout.trim().split('\n').at(-1) ?? '';
  if (line.startsWith('{')) return JSON.parse(line) as Report;
  process.stdout.write(`  no report: ${run.stderr.slice(-500)}\n`);
  return null;
};

/** Runs the workload with one seed after another until it reports a violation. */
const find = async (mutant: Mutant): Promise<boolean> => {
  let judged = 0;
  for (let n = 0; n < Number(values.runs); n++) {
    const seed = Number(values.seed) + n;
    const report = runWorkload(seed);
    if (report) judged++;
    if (!report || report.violations.length === 0) continue;
    process.stdout.write(`${mutant.name.padEnd(28)} FOUND by seed ${seed}\n`);
    // one detail of each kind: whether the mutant caused it is for the reader to judge
    const kinds = Object.entries(Object.groupBy(report.violations, ({ invariant }) => invariant));
    for (const [invariant, [first, ...more] = []] of kinds)
      process.stdout.write(`  ${invariant} (${more.length + 1}): ${first?.detail.slice(0, 300)}\n`);
    return true;
  }
  process.stdout.write(`${mutant.name.padEnd(28)} not found in ${judged} runs\n`);
  return false;
};

try {
  const found: boolean[] = [];
  for (const mutant of chosen) found.push(await scratch.whileBroken(mutant, () => find(mutant)));
  process.exitCode = found.every((one) => one) ? 0 : 1;
} finally {
  scratch.remove();
}
