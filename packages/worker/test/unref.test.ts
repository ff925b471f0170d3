import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const index = new URL('../src/index.ts', import.meta.url);

test('a process whose only work is a pause of an unreferenced loop exits', async () => {
  const program = `
    import { startWorker } from '${index}';
    startWorker({ unref: true, tick: async () => 3_600_000, failed: () => 3_600_000 });
    process.on('exit', () => console.log('exits'));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 20_000,
  });
  expect((await run).stdout).toBe('exits\n');
});
