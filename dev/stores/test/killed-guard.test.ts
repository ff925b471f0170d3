import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stores as shared, until } from '@pto/testing';
import { isAlive } from '../src/processes.ts';
import { privateFolder, processesOf, runProgram } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

const { redis, kafka } = shared();
const onlyPostgres = async () => {
  const program = runProgram(folder.dir, redis ?? '', kafka?.[0] ?? '');
  const { postgres } = await until(program.stores, { deadlineMs: 60_000, what: 'stores' });
  const guards = (await processesOf(folder.dir)).filter(({ args }) => args.includes('guard['));
  return { program, pid: postgres.pid!, guards };
};

test('a store whose supervisor was killed is ended, and its end is reported', async () => {
  const { program, pid, guards } = await onlyPostgres();
  // the older of the two shells is the guard, the younger its watcher
  process.kill(Math.min(...guards.map((guard) => guard.pid)), 'SIGKILL');
  await until(() => program.output().includes('died: postgres'), { what: 'word of the death' });
  expect(isAlive(pid)).toBe(false);
  program.child.kill('SIGKILL');
});

test('a store that lost its guard and its program ends with the program', async () => {
  const { program, pid, guards } = await onlyPostgres();
  program.child.kill('SIGSTOP'); // so that it cannot notice
  process.kill(Math.min(...guards.map((guard) => guard.pid)), 'SIGKILL');
  program.child.kill('SIGKILL');
  await until(() => !isAlive(pid), { what: 'the end of Postgres' });
});

test('a store that nothing watches any more is ended by the next start, and its rows are there', async () => {
  const { program, pid, guards } = await onlyPostgres();
  program.child.kill('SIGSTOP');
  for (const guard of guards) process.kill(guard.pid, 'SIGKILL');
  program.child.kill('SIGKILL');
  await until(() => !isAlive(program.child.pid!), { what: 'the end of the program' });
  expect(isAlive(pid)).toBe(true);
  const next = runProgram(folder.dir, redis ?? '', kafka?.[0] ?? '');
  const found = await until(next.stores, { what: 'stores again' });
  expect(isAlive(pid)).toBe(false);
  expect(found.postgres.pid).not.toBe(pid);
  next.child.kill('SIGKILL');
  await until(() => !isAlive(found.postgres.pid!), { what: 'the end of Postgres' });
});
