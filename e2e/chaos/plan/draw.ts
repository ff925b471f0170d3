/** From a seed to a plan of operations and faults. Pure: the same seed draws the same plan. */
import { type Random, seeded, weighted } from '../../random.ts';
import { faults } from './faults.ts';
import { operations } from './operations.ts';

/** One step of a plan: a kind and what was drawn of it. */
export interface Step<Kind extends string> {
  readonly kind: Kind;
  readonly drawn: object;
}

export interface Planned<T> {
  /** Milliseconds from the start of the run. */
  readonly atMs: number;
  readonly step: T;
}

export interface Plan {
  readonly operations: readonly Planned<Step<keyof typeof operations>>[];
  readonly faults: readonly Planned<Step<keyof typeof faults>>[];
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

type Kinds<K extends string> = Readonly<
  Record<K, { weight: number; draw: (random: Random, slots: number) => object }>
>;

const drawStep = <K extends string>(
  random: Random,
  kinds: Kinds<K>,
  slots: number,
  given?: K,
): Step<K> => {
  const table = (Object.keys(kinds) as K[]).map((kind) => [kinds[kind].weight, kind] as const);
  const kind = given ?? weighted(random, table);
  return { kind, drawn: kinds[kind].draw(random, slots) };
};

export const drawPlan = (seed: number, options: PlanOptions): Plan => {
  const { minutes, operationsPerSecond, faultPauseMs } = options;
  const random = seeded(seed);
  const endMs = minutes * 60_000;
  let slots = 0;
  const drawn: Planned<Step<keyof typeof operations>>[] = [];
  const pauseMs = () => (random() * 2000) / operationsPerSecond;
  let burst = 0;
  for (let atMs = 0; atMs < endMs; atMs += burst > 0 ? 0 : pauseMs()) {
    burst = burst > 0 ? burst - 1 : random() < burstShare ? burstLength : 0;
    const step = drawStep(random, operations, slots, slots < slotsBefore ? 'create' : undefined);
    if (step.kind === 'create' || step.kind === 'twins') slots++;
    drawn.push({ atMs, step });
  }
  const harm: Planned<Step<keyof typeof faults>>[] = [];
  for (let atMs = faultPauseMs; atMs < endMs; atMs += faultPauseMs * (0.25 + random() * 1.5))
    harm.push({ atMs, step: drawStep(random, faults, slots) });
  return { operations: drawn, faults: harm };
};
