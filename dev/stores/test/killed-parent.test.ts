import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { privateFolder, processesOf, runProgram } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

/** The longest grace of a guard, Kafka's: after it the guard sends KILL. */
const graceMs = 20_000;

const nothingLeft = (pids: readonly number[] = []) => {
  const isOver = async () => {
    expect(await processesOf(folder.dir, pids)).toEqual([]);
    return true;
  };
  return until(isOver, { deadlineMs: graceMs + 10_000, what: 'the end of all processes' });
};

test('a program killed with SIGKILL while its stores run leaves no process', async () => {
  const program = runProgram(folder.dir);
  const stores = await until(program.stores, { deadlineMs: 60_000, what: 'stores' });
  const pids = [stores.postgres.pid, stores.redis?.pid, stores.kafka?.pid].filter(
    (p) => p !== undefined,
  );
  expect((await processesOf(folder.dir, pids)).length).toBeGreaterThanOrEqual(pids.length * 2);
  program.child.kill('SIGKILL');
  await nothingLeft(pids);
});

test.each(['postgres', 'redis'])(
  'a program killed with SIGKILL at the moment %s appears leaves no process',
  async (name) => {
    const program = runProgram(folder.dir);
    const appeared = async () =>
      program.child.exitCode !== null ||
      program.stores() !== undefined ||
      (await processesOf(folder.dir)).some(({ args }) => args.includes(`] ${name} `));
    await until(appeared, { deadlineMs: 60_000, what: `the guard of ${name}` });
    program.child.kill('SIGKILL');
    await nothingLeft();
  },
);
