import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stores as shared, until } from '@pto/testing';
import { isAlive } from '../src/processes.ts';
import { privateFolder, runProgram } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

test('a second start on a folder is refused in words, harms nothing, and works once the first is killed', async () => {
  const { redis, kafka } = shared();
  const given = [redis ?? '', kafka?.[0] ?? ''];
  const first = runProgram(folder.dir, ...given);
  const { postgres } = await until(first.stores, { deadlineMs: 60_000, what: 'stores' });

  const second = runProgram(folder.dir, ...given);
  expect(await second.exited).toBe(1);
  expect(second.errors()).toContain(`in use by another process (process ${first.child.pid})`);
  expect(isAlive(postgres.pid!)).toBe(true);

  first.child.kill('SIGKILL');
  const third = runProgram(folder.dir, ...given);
  const again = await until(third.stores, { deadlineMs: 60_000, what: 'stores of the third' });
  third.child.kill('SIGKILL');
  await until(() => !isAlive(again.postgres.pid!), { what: 'the end of Postgres' });
});
