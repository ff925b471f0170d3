/**
 * What an order costs with more processes: CPU time of one life (`order-life.ts`) with 1, 2 and 4
 * replicas of each service on the same stores, and with two complete stacks beside each other, two
 * cells. The lives are spread evenly. What the processes use while they do nothing is measured before
 * and subtracted. `RATE=8 SECONDS=30 node bench/scale.ts`: 8 lives a second in all, for 30 s each.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Prepared, stackProcesses, withStack } from './http/stack.ts';
import { openLives } from './life/lives.ts';
import { type CpuMicros, cpuNow, cpuSince, cpuText, sumOf } from './measuring/process-cpu.ts';
import { noOutcome, reporting, say } from './measuring/report.ts';

const perSecond = Number(process.env.RATE ?? 8);
const seconds = Number(process.env.SECONDS ?? 30);
/** Until a started stack is at rest, and how long it is measured at rest. */
const restMs = 15_000;

const shapes = [
  { replicas: 1, cells: 1 },
  { replicas: 2, cells: 1 },
  { replicas: 4, cells: 1 },
  { replicas: 1, cells: 2 },
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

/** CPU time of one life by process, without what the processes use at rest. */
const measure = async (cells: readonly Prepared[]): Promise<{ idle: number; life: CpuMicros }> => {
  const lives = await openLives(cells);
  await lives.run({ perSecond, seconds: 5 }); // warm
  await sleep(restMs);
  const before = cpuNow();
  await sleep(restMs);
  const atRest = cpuSince(before, stackProcesses(cells[0]!.stack.file()));
  const { count, tookMs, perLife } = await lives.run({ perSecond, seconds });
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
      const { idle, life } = await measure(stacks);
      const total = sumOf(life);
      first ??= total;
      say(`  ${replicas} of each service, ${cells === 1 ? 'one cell' : `${cells} cells`}:`);
      say(`    ${(total / 1000).toFixed(1)} ms, ${(total / first).toFixed(2)} of the first`);
      say(`    at rest ${idle.toFixed(1)} % of a core; µs of a life: ${cpuText(life)}`);
    });
  return noOutcome;
});
