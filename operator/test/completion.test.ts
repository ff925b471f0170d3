import { expect, test } from '@jest/globals';
import { runCommand } from './operator-command.ts';

const nowhere = { url: 'https://127.0.0.1:1', caFile: '' };
const completed = async (...words: string[]) => {
  const { code, stdout } = await runCommand(nowhere, ['complete', '--', ...words]);
  expect(code).toBe(0);
  return stdout.split('\n').map((line) => line.split('\t')[0]);
};

test('commands, flags and choices are completed', async () => {
  expect(await completed('order', 'time')).toContain('timeline');
  expect(await completed('order', 'list', '--')).toEqual(
    expect.arrayContaining(['--org', '--limit', '--json']),
  );
  expect(await completed('delivery', 'list', '--state', '')).toContain('EXHAUSTED');
});

test.each(['bash', 'zsh', 'fish'])('there is a script for %s', async (shell) => {
  const { code, stdout, stderr } = await runCommand(nowhere, ['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('operator complete --');
});

test('an unknown shell is wrong usage', async () => {
  expect((await runCommand(nowhere, ['completion', 'cmd'])).code).toBe(2);
});

test('--version prints the version', async () => {
  expect((await runCommand(nowhere, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
