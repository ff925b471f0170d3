import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { guardLabel } from '../src/guards.ts';
import { endProcess } from '../src/processes.ts';
import { privateFolder, processesOf } from './run-program.ts';

const script = readFileSync(new URL('../src/guard.sh', import.meta.url), 'utf8');
const folder = privateFolder();
afterEach(async () => {
  for (const { pid } of await processesOf(folder.dir)) await endProcess(pid, 'SIGKILL', 0);
  folder.remove();
});

test('a guard whose parent died before the guard said the process id leaves no process', async () => {
  const program = ['-e', 'setInterval(() => {}, 1000)', folder.dir];
  const words = ['-c', script, guardLabel(folder.dir, 'idle'), 'TERM', '20', process.execPath];
  // The reading end of fd 3 is closed before the guard runs, as it is when the parent was killed.
  const guard = spawn(
    '/bin/sh',
    ['-c', 'sleep 0.2; exec "$@"', 'wait', '/bin/sh', ...words, ...program],
    {
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  const ended = new Promise((resolve) => guard.once('exit', resolve));
  guard.stdio[3]?.destroy();
  guard.stdin?.end();
  await ended;
  await until(
    async () => {
      expect(await processesOf(folder.dir)).toEqual([]);
      return true;
    },
    { deadlineMs: 15_000, what: 'the end of all processes' },
  );
});
