import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { freePort, until } from '@pto/testing';
import { aLog } from './a-log.ts';
import { submit, witnessEnvironment } from './a-witness.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'witness-killed-'));
const children = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const rounds = Number(process.env.ROUNDS ?? 3);
const logsOfRound = 8;
const originsOf = (round: number) =>
  Array.from({ length: logsOfRound }, (_, n) => `log.test/${round}/${n}`);
const origins = Array.from({ length: rounds }, (_, round) => originsOf(round)).flat();

/** Starts the real program and waits until it answers. */
const startProcess = async () => {
  const port = await freePort();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      PATH: process.env.PATH,
      ...witnessEnvironment(folder, origins),
      HTTP_PORT: String(port),
      ADMIN_PORT: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url)).ok, { what: 'the witness' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
    children.delete(child);
  };
  return { url, kill };
};

const base = 4;
const forkOf = (origin: string, fork: string) => aLog(origin, { fork, shared: base });

test('a witness that is killed at any moment never cosigns two forks', async () => {
  /** The forks whose checkpoint of 8 leaves was cosigned, by origin. */
  const cosigned = new Map<string, Set<string>>(origins.map((origin) => [origin, new Set()]));
  const submitFork = async (url: string, origin: string, fork: string) => {
    const log = await forkOf(origin, fork);
    const { status } = await submit(url, await log.body(base, 8));
    if (status === 200) cosigned.get(origin)!.add(fork);
    return status;
  };
  let running = await startProcess();
  for (let round = 0; round < rounds; round++) {
    for (const origin of originsOf(round)) {
      const log = await forkOf(origin, 'a');
      expect((await submit(running.url, await log.body(0, base))).status).toBe(200);
    }
    // one fork is submitted for each log, and the process is killed in the middle of the responses
    const bodies = await Promise.all(
      originsOf(round).map(async (origin) => (await forkOf(origin, 'a')).body(base, 8)),
    );
    let responses = 0;
    const first = originsOf(round).map(async (origin, n) => {
      const answer = await submit(running.url, bodies[n]!).catch(() => null);
      if (answer?.status === 200) cosigned.get(origin)!.add('a');
      responses++;
    });
    await until(() => responses > round, { what: 'the first responses' });
    await running.kill();
    await Promise.all(first);
    running = await startProcess();
    // the other fork is next: it is cosigned only if the first one never was
    for (const origin of originsOf(round)) {
      const other = await submitFork(running.url, origin, 'b');
      expect([200, 409]).toContain(other);
      if (other === 409) expect(await resubmitted(running.url, origin)).toBe(200);
    }
  }
  await running.kill();
  const forks = [...cosigned.values()].map((set) => set.size);
  expect(Math.max(...forks)).toBe(1);
  expect([...cosigned.values()].flatMap((set) => [...set])).toContain('a');
}, 120_000);

/** What was persisted before the kill is cosigned again, for the log to have it. */
const resubmitted = async (url: string, origin: string): Promise<number> => {
  const log = await forkOf(origin, 'a');
  return (await submit(url, await log.body(8, 8))).status;
};
