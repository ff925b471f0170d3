/**
 * What an order costs with more processes: CPU time of one life (`life/lives.ts`) with 1, 2 and 4
 * replicas of each service on the same stores, and with 2 and 4 complete stacks beside each other,
 * cells. Cells share nothing but the machine, so they show what more processes on the same cores cost
 * by themselves. Each process has the same share of lives, because a busier one spreads what a
 * transaction costs over more events. What the processes use while they do nothing is measured before
 * and subtracted. `RATE=1 SECONDS=40 node bench/scale.ts`: one life a second for each replica, for
 * 40 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inLanes } from '../e2e/load.ts';
import { type Prepared, stackProcesses, withStack } from './http/stack.ts';
import { atRate } from './latency/constant-rate.ts';
import { openLives } from './life/lives.ts';
import { type CpuMicros, cpuNow, cpuSince, cpuText, sumOf } from './measuring/process-cpu.ts';
import { noOutcome, reporting, say } from './measuring/report.ts';

const rate = Number(process.env.RATE ?? 1);
const seconds = Number(process.env.SECONDS ?? 40);
/** That each process runs first, so that its code is compiled and its connections have their plans. */
const warmLives = 200;
const warmLanes = 16;
/** Until a started stack is at rest, and how long it is measured at rest. */
const restMs = 15_000;

const shapes = [
  { replicas: 1, cells: 1 },
  { replicas: 2, cells: 1 },
  { replicas: 4, cells: 1 },
  { replicas: 1, cells: 2 },
  { replicas: 1, cells: 4 },
];

/** Starts that many stacks and ends them after the work. */
const withCells = async (
  count: number,
  replicas: number,
  work: (cells: readonly Prepared[]) => Promise<void>,
  started: readonly Prepared[] = [],
): Promise<void> =>
  started.length === count
    ? work(started)
    : withStack((one) => withCells(count, replicas, work, [...started, one]), 1, {}, replicas);

/**
 * CPU time of one life by process, without what the processes use at rest.
 * @param processes of each service, in all cells: each runs as many lives before it is measured.
 */
const measure = async (
  cells: readonly Prepared[],
  processes: number,
): Promise<{ idle: number; life: CpuMicros }> => {
  const lives = await openLives(cells);
  await lives.run((work) => inLanes(warmLives * processes, warmLanes, work));
  await sleep(restMs);
  const before = cpuNow();
  await sleep(restMs);
  const atRest = cpuSince(before, stackProcesses(cells[0]!.stack.file()));
  const { count, tookMs, perLife } = await lives.run((work) =>
    atRate({ perSecond: rate * processes, seconds }, work),
  );
  await lives.stop();
  const restOfLife = tookMs / restMs / count;
  const entries = Object.entries(perLife);
  return {
    idle: sumOf(atRest) / restMs / 10,
    life: Object.fromEntries(
      entries.map(([name, micros]) => [name, micros - (atRest[name] ?? 0) * restOfLife]),
    ),
  };
};

await reporting('CPU time of one life', async () => {
  let first: number | undefined;
  for (const { replicas, cells } of shapes)
    await withCells(cells, replicas, async (stacks) => {
      const { idle, life } = await measure(stacks, replicas * cells);
      const total = sumOf(life);
      first ??= total;
      say(`  ${replicas} of each service, ${cells === 1 ? 'one cell' : `${cells} cells`}:`);
      say(`    ${(total / 1000).toFixed(1)} ms, ${(total / first).toFixed(2)} of the first`);
      say(`    at rest ${idle.toFixed(1)} % of a core; µs of a life: ${cpuText(life)}`);
    });
  return noOutcome;
});
