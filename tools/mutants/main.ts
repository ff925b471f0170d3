/**
 * `npm run mutants [-- NAME...]`: breaks safety mechanisms one at a time in scratch copies and runs
 * the tests that must notice. Fails on a mutant that survives. `--tested` leaves out the run of the
 * tests on the code as it is: they have just passed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import startTestStores from '../../dev/testing/src/global-setup.ts';
import stopTestStores from '../../dev/testing/src/global-teardown.ts';
import { judge, type Result, requireUnbroken } from './judge.ts';
import { makeScratch } from './scratch.ts';
import { mutants } from './table.ts';

const { values, positionals } = parseArgs({
  options: { tested: { type: 'boolean', default: false } },
  allowPositionals: true,
});
/** So many mutants are judged at once, each in a copy of its own. */
const lanes = 2;
const unknown = positionals.filter((name) => !mutants.some((mutant) => mutant.name === name));
if (unknown.length > 0) {
  const names = mutants.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no mutant ${unknown.join(', ')}. There are: ${names}\n`);
  process.exit(2);
}
const chosen = mutants.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const judgeAll = async (env: NodeJS.ProcessEnv): Promise<Result[]> => {
  const root = join(import.meta.dirname, '..', '..');
  const scratches = Array.from({ length: lanes }, () => makeScratch(root));
  try {
    if (!values.tested) {
      process.stderr.write(`The tests of ${chosen.length} mutants run on the code as it is.\n`);
      await requireUnbroken(scratches[0]!, chosen, env);
    }
    const queue = [...chosen];
    const results: Result[] = [];
    const drain = async (lane: number): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const result = await judge(scratches[lane]!, next, env);
        results.push(result);
        const { name, outcome, seconds, mechanism } = result;
        const columns = [
          name.padEnd(28),
          outcome.padEnd(18),
          `${seconds} s`.padStart(6),
          mechanism,
        ];
        process.stdout.write(`${columns.join(' ')}\n`);
      }
    };
    await Promise.all(scratches.map((_, lane) => drain(lane)));
    return results;
  } finally {
    for (const scratch of scratches) scratch.remove();
  }
};

// one set of stores for all runs: bringing them up takes longer than most tests
await startTestStores();
try {
  const results = await judgeAll({
    ...process.env,
    DATABASE_URL: process.env.PTO_TEST_POSTGRES,
    REDIS_URL: process.env.PTO_TEST_REDIS,
    KAFKA_BROKERS: process.env.PTO_TEST_KAFKA,
  });
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  process.stderr.write(`${killed} of ${results.length} killed.\n`);
  process.exitCode = killed === results.length ? 0 : 1;
} finally {
  await stopTestStores();
}
