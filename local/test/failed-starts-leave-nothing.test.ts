import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGuards } from '@pto/stores';
import { until } from '@pto/testing';
import type { PlannedProcess } from '../src/processes/plan.ts';
import { startProcesses } from '../src/processes/processes.ts';
import { keepRunning } from '../src/processes/supervisor.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'processes-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const planned = (name: PlannedProcess['name'], env: NodeJS.ProcessEnv): PlannedProcess => ({
  name,
  cell: 'main',
  replica: 0,
  env,
  internalUrl: '',
  metricsUrl: '',
  healthUrl: '',
  publicUrl: undefined,
});

test('if one process cannot be started, the others end and are not started again', async () => {
  const program = join(dir, 'program.mjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const warnings: string[] = [];
  const progress = {
    say: () => {},
    warn: (line: string) => void warnings.push(line),
  };
  const starting = startProcesses({
    dir,
    // no process can have a NUL in its environment
    plan: [planned('orders', process.env), planned('custody', { ...process.env, NUL: 'a\0b' })],
    programs: { fileOf: () => program },
    progress,
    onRestart: () => warnings.push('restarted'),
    onFailure: ({ message }) => warnings.push(message),
  });
  await expect(starting).rejects.toThrow('null bytes');
  // a supervision that goes on would warn before this one has started its process twice
  let restarts = 0;
  const another = await keepRunning({
    guards: createGuards(dir),
    name: 'another',
    command: { command: process.execPath, args: ['-e', ''], signal: 'TERM', graceS: 5 },
    say: () => {},
    onRestart: () => restarts++,
    onBadConfiguration: () => {},
  });
  await until(() => restarts > 0, { what: 'a restart' });
  await another.stop();
  expect(warnings).toEqual([]);
});
