/** From a seed to a plan of operations and faults. Pure: the same seed draws the same plan. */
import { seeded, weighted } from '../../random.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { creation, type Operation, operations } from './operations.ts';

export interface Planned<T> {
  /** Milliseconds from the start of the run. */
  readonly atMs: number;
  readonly step: T;
}

export interface Plan {
  readonly operations: readonly Planned<Operation>[];
  readonly faults: readonly Planned<Fault>[];
}

export interface PlanOptions {
  readonly minutes: number;
  readonly operationsPerSecond: number;
  /** The mean pause between two faults. */
  readonly faultPauseMs: number;
}

/** Orders that a plan creates before anything else. */
const slotsBefore = 4;

/** Share of the moments at which many operations begin at once, and how many. */
const burstShare = 0.02;
const burstLength = 11;

export const drawPlan = (seed: number, options: PlanOptions): Plan => {
  const { minutes, operationsPerSecond, faultPauseMs } = options;
  const random = seeded(seed);
  const endMs = minutes * 60_000;
  let slots = 0;
  const drawn: Planned<Operation>[] = [];
  const pauseMs = () => (random() * 2000) / operationsPerSecond;
  let burst = 0;
  for (let atMs = 0; atMs < endMs; atMs += burst > 0 ? 0 : pauseMs()) {
    burst = burst > 0 ? burst - 1 : random() < burstShare ? burstLength : 0;
    const draw = slots < slotsBefore ? creation('create') : weighted(random, operations);
    const step = draw(random, slots);
    if (step.kind === 'create' || step.kind === 'twins') slots++;
    drawn.push({ atMs, step });
  }
  const harm: Planned<Fault>[] = [];
  for (let atMs = faultPauseMs; atMs < endMs; atMs += faultPauseMs * (0.25 + random() * 1.5))
    harm.push({ atMs, step: weighted(random, faults)(random, slots) });
  return { operations: drawn, faults: harm };
};
