import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGuards, isAlive } from '@pto/stores';
import { until } from '@pto/testing';
import { keepRunning, pauseMs, type SupervisedProcess } from '../src/processes/supervisor.ts';

let dir: string;
let supervised: SupervisedProcess | undefined;
const shown: string[] = [];
const bad: string[] = [];
let restarts = 0;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'supervisor-test-'));
  for (const list of [shown, bad]) list.length = 0;
  restarts = 0;
});
afterEach(async () => {
  await supervised?.stop();
  rmSync(dir, { recursive: true });
});

const supervise = async (program: string) => {
  supervised = await keepRunning({
    guards: createGuards(dir),
    name: 'orders-0',
    command: { command: process.execPath, args: ['-e', program], signal: 'TERM', graceS: 5 },
    say: (line) => shown.push(line),
    onRestart: () => {
      restarts += 1;
    },
    onBadConfiguration: (reason) => bad.push(reason),
  });
  return supervised;
};

const log = (level: string, msg: string) =>
  `console.log(JSON.stringify({ level: '${level}', msg: '${msg}' }));`;
/** The lines about starts that failed. */
const notStarted = () => shown.filter((line) => line.startsWith('could not be started'));
const serve = 'setInterval(() => {}, 1000);';

test('a process that is killed runs again under another id, and stop() ends it for good', async () => {
  const service = await supervise(serve);
  const killed = service.pid();
  process.kill(killed, 'SIGKILL');
  await until(() => restarts === 1, { what: 'a restart' });
  expect(shown).toEqual(['ended (137), is started again in 250 ms']);
  expect(service.pid()).not.toBe(killed);
  expect(isAlive(service.pid())).toBe(true);
  await service.stop();
  expect(isAlive(service.pid())).toBe(false);
  expect(restarts).toBe(1);
});

test('a process that exits, even with 0, is restarted', async () => {
  await supervise('');
  await until(() => restarts >= 2, { what: 'two restarts' });
  expect(shown.slice(0, 2)).toEqual([
    'ended (0), is started again in 250 ms',
    'ended (0), is started again in 500 ms',
  ]);
});

test('exit 78 is reported with the reason of the service, and nothing is restarted', async () => {
  await supervise(`${log('fatal', 'bad configuration: PORT: expected')} process.exit(78);`);
  await until(() => bad.length > 0, { what: 'word of the bad configuration' });
  expect(bad).toEqual(['bad configuration: PORT: expected']);
  await supervised?.stop();
  expect([restarts, shown]).toEqual([0, [expect.stringContaining('fatal')]]);
});

test('a start that fails is repeated after a growing pause and is no bad configuration', async () => {
  const service = await supervise(serve);
  const [logs, elsewhere] = [join(dir, 'logs'), join(dir, 'logs-elsewhere')];
  renameSync(logs, elsewhere);
  writeFileSync(logs, 'no log can be opened below a file');
  const killed = service.pid();
  process.kill(killed, 'SIGKILL');
  await until(() => notStarted().length >= 2, { what: 'two failed starts' });
  rmSync(logs);
  renameSync(elsewhere, logs);
  await until(() => restarts === 1, { what: 'a restart' });
  expect(notStarted()[0]).toMatch(/(EEXIST|ENOTDIR).* in 500 ms$/);
  expect(notStarted()[1]).toMatch(/ in 1000 ms$/);
  expect(bad).toEqual([]);
  expect(service.pid()).not.toBe(killed);
});

test('stop() ends a supervision whose starts fail', async () => {
  const service = await supervise(serve);
  rmSync(join(dir, 'logs'), { recursive: true });
  writeFileSync(join(dir, 'logs'), '');
  process.kill(service.pid(), 'SIGKILL');
  await until(() => notStarted().length > 0, { what: 'a failed start' });
  await service.stop();
  expect([restarts, bad]).toEqual([0, []]);
});

test('the terminal gets warnings, errors and what Node itself says; the log file gets every line', async () => {
  const lines = [log('info', 'quiet'), log('warn', 'careful'), log('error', 'broken')].join('');
  const service = await supervise(
    `${lines} console.log('TypeError: broken\\n    at line 1'); ${serve}`,
  );
  await until(() => shown.length >= 3, { what: 'three lines' });
  expect(shown).toEqual(['warn careful', 'error broken', 'TypeError: broken']);
  await service.stop();
  expect(readFileSync(join(dir, 'logs', 'orders-0.log'), 'utf8')).toContain('quiet');
});

test.each([
  [0, 250],
  [1, 500],
  [2, 1000],
  [5, 8000],
  [6, 10_000],
  [1000, 10_000],
])('after %i failures in a row the pause is %i ms', (failures, pause) => {
  expect(pauseMs(failures)).toBe(pause);
});
