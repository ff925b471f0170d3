/**
 * The suite: `npm run bench` measures all ratios, `npm run bench -- R1 R5` these, and prints one
 * table; `--profile` writes V8's CPU profiles into a folder that it names. Exit code 1: a run is
 * void. bench/README.md says more.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benches } from './suite/benches.ts';
import { runBench, type SuiteResult } from './suite/run-bench.ts';
import { tableOf } from './suite/table.ts';

const usage = `Usage: npm run bench [-- [RATIO...] [--profile]]
Ratios: ${benches.map(({ ratio }) => ratio).join(', ')}
`;

const { values, positionals } = (() => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean' }, profile: { type: 'boolean' } },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
})();
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const unknown = positionals.filter((name) => !benches.some(({ ratio }) => ratio === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ratio ${unknown.join(', ')}.\n${usage}`);
  process.exit(2);
}
const chosen = benches.filter(
  ({ ratio }) => positionals.length === 0 || positionals.includes(ratio),
);
const profiles = values.profile && mkdtempSync(join(tmpdir(), 'pto-profiles-'));

const results: SuiteResult[] = [];
for (const [n, bench] of chosen.entries()) {
  process.stderr.write(`\n${n + 1}/${chosen.length}  ${bench.ratio}: bench/${bench.file}\n`);
  const folder = profiles ? join(profiles, `${n + 1}-${bench.ratio}`) : undefined;
  results.push(...(await runBench(bench, folder)));
}
process.stdout.write(tableOf(results));
if (profiles) process.stderr.write(`profiles: ${profiles}\n`);
if (results.some((result) => result.void !== null)) process.exitCode = 1;
