import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';

const program = (dir: string) => `
  import { writeStackFile } from '${new URL('../src/stack/stack-file.ts', import.meta.url)}';
  import { watchStackFile } from '${new URL('../src/stack/stack-file.ts', import.meta.url)}';
  watchStackFile('${dir}');
  writeStackFile('${dir}', {});
  setInterval(() => {}, 1000);`;

test('mesh.json is gone soon after the process that wrote it was killed with SIGKILL', async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'watchman-test-')));
  const path = join(dir, 'mesh.json');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(dir)]);
  try {
    await until(() => existsSync(path), { what: 'mesh.json' });
    child.kill('SIGKILL');
    await until(() => !existsSync(path), { what: 'the end of mesh.json', deadlineMs: 10_000 });
    expect(existsSync(dir)).toBe(true);
  } finally {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true });
  }
});
