import { setTimeout as sleep } from 'node:timers/promises';
import { inLanes } from '../load.ts';
import { sampleMemory } from './observe.ts';
import type { Plan, Planned } from './plan/draw.ts';
import { faults } from './plan/faults.ts';
import { operations } from './plan/operations.ts';
import type { Tally } from './report.ts';
import type { World } from './world.ts';

const lanes = 12;
const progressEveryMs = 10_000;

/** Takes each step when it is due, or as soon afterwards as a lane is free; none after the end. */
const playSteps = <T>(
  steps: readonly Planned<T>[],
  { endMs, laneCount }: { endMs: number; laneCount: number },
  take: (step: T) => Promise<void>,
): Promise<void> => {
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  return inLanes(steps.length, laneCount, async (n) => {
    if (elapsed() >= endMs) return;
    const { atMs, step } = steps[n]!;
    await sleep(Math.max(0, atMs - elapsed()));
    await take(step);
  });
};

/** Runs the plan to its end and heals. Steps that a slow machine did not reach are left out. */
export const playPlan = async (
  world: World,
  plan: Plan,
  { endMs, tally, say }: { endMs: number; tally: Tally; say: (line: string) => void },
): Promise<void> => {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), endMs);
  let done = 0;
  const progress = setInterval(() => {
    sampleMemory(world);
    const inflicted = Object.values(tally.faults).reduce((sum, n) => sum + n, 0);
    say(`${done} of ${plan.operations.length} operations, ${inflicted} faults`);
  }, progressEveryMs);
  try {
    await Promise.all([
      playSteps(plan.operations, { endMs, laneCount: lanes }, async (step) => {
        const { perform } = operations[step.kind];
        const word = await perform(world, step.drawn as never).catch(() => 'unknown' as const);
        tally.operations[step.kind] ??= { accepted: 0, rejected: 0, unknown: 0, skipped: 0 };
        tally.operations[step.kind]![word]++;
        done++;
      }),
      playSteps(plan.faults, { endMs, laneCount: 3 }, async (fault) => {
        tally.faults[fault.kind] = (tally.faults[fault.kind] ?? 0) + 1;
        try {
          await faults[fault.kind].inflict(world, fault.drawn as never, end.signal);
        } catch (error) {
          say(`${fault.kind}: ${(error as Error).message}`);
        }
      }),
    ]);
  } finally {
    clearTimeout(timer);
    clearInterval(progress);
    sampleMemory(world);
  }
};
