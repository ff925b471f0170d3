import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { roundOf } from '../measuring/percentile.ts';
import { nameProcess } from '../measuring/process-cpu.ts';
import type { Side } from '../measuring/ratio.ts';
import { type AppendedLeaf, type Checkpoint, checkpointTimes } from './checkpoint-times.ts';
import { callerCount, checkpointMs, leavesBefore, orderEvents } from './order-event.ts';

const sources = new URL('../tessera/', import.meta.url).pathname;
/** Builds from the module proxy may take long. */
const buildMs = 300_000;
/**
 * As many leaves as there are callers, and a short wait for those that are late: with Tessera's
 * defaults of 256 leaves and 250 ms, 100 callers would wait for each batch.
 */
const batching = [`-batch=${callerCount}`, '-age=5ms'];

interface Call extends AppendedLeaf {
  /** When its leaf was integrated. */
  readonly ended: number;
}

/** @throws Error if Go is missing or the program does not build. */
const build = (folder: string): string => {
  const program = join(folder, 'tessera');
  const { error, status, stderr } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: sources,
    encoding: 'utf8',
    timeout: buildMs,
  });
  if (error)
    throw new Error(`R5 needs Go 1.25 on the PATH (https://go.dev/dl): ${error.message}`, {
      cause: error,
    });
  if (status !== 0) throw new Error(`bench/tessera does not build: ${stderr}`);
  return program;
};

/** A program that answers each line of JSON with one. */
const talkTo = (child: ChildProcess) => {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async <Answer>(command: object): Promise<Answer> => {
    child.stdin!.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('bench/tessera has ended');
    return JSON.parse(value);
  };
};

/**
 * Tessera's POSIX driver in a process of its own: 100 callers append the same events, and each waits
 * until its leaf is synced and integrated. A log alone: no chain, no inbox, no outbox, no index.
 */
export const tesseraSide = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const program = build(folder);
  const args = [`-folder=${join(folder, 'log')}`, `-callers=${callerCount}`, ...batching];
  const child = spawn(program, [...args, `-interval=${checkpointMs}ms`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  nameProcess(child.pid!, 'tessera');
  const ask = talkTo(child);
  const times = checkpointTimes();
  let calls: Call[] = [];
  let [integrated, before] = [0, 0];
  const load = (count?: number) =>
    ask({ leaves: orderEvents(count).map(({ value }) => Buffer.from(value).toString('base64')) });
  const run = async () => {
    calls = await ask<Call[]>({ run: true });
    return roundOf(calls.map(({ begun, ended }) => ended - begun));
  };
  const publish = async (): Promise<Checkpoint[]> => {
    const checkpoints = await ask<Checkpoint[]>({ settle: true });
    [before, integrated] = [integrated, checkpoints.at(-1)!.size];
    return checkpoints;
  };
  await load(leavesBefore);
  await run();
  await publish();
  const side: Side = {
    name: 'Tessera',
    processes: ['tessera'],
    prepare: async () => void (await load()),
    round: run,
    settle: async () => times.add(calls, await publish()),
    rows: async () => integrated - before,
  };
  const close = async (): Promise<void> => {
    times.print(side.name);
    child.stdin.end();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  };
  return { ...side, close };
};
