/** From a seed to a plan of operations and faults. Pure: the same seed draws the same plan. */
import { seeded } from '../mutations.ts';
import type { FailingDatabase } from './faults/failing-statements.ts';
import { type CommandName, commandNames } from './order-model.ts';

/** `slot` numbers the orders of the run, `gateway` the replica that gets the request. */
export type Operation =
  | {
      readonly kind: 'create';
      readonly slot: number;
      readonly draft: boolean;
      readonly items: number;
    }
  | {
      readonly kind: 'twins';
      readonly slot: number;
      readonly draft: boolean;
      readonly items: number;
    }
  | { readonly kind: 'repeat' | 'reuse' | 'duplicate'; readonly slot: number }
  | {
      readonly kind: 'advance' | 'read' | 'events' | 'proof' | 'cancel' | 'intrude';
      readonly slot: number;
    }
  | { readonly kind: 'command'; readonly slot: number; readonly command: CommandName }
  | { readonly kind: 'race'; readonly slot: number; readonly commands: readonly CommandName[] }
  | { readonly kind: 'list' | 'poll' | 'audit' }
  | { readonly kind: 'rotate' | 'replay' | 'test' | 'recover'; readonly endpoint: number }
  | { readonly kind: 'move' | 'pause' };

export type Fault =
  | { readonly kind: 'kill'; readonly service: string; readonly replica: number }
  | { readonly kind: 'killAll'; readonly service: string }
  | {
      readonly kind: 'freeze';
      readonly service: string;
      readonly replica: number;
      readonly ms: number;
    }
  | { readonly kind: 'freezeStore'; readonly store: 'kafka' | 'redis'; readonly ms: number }
  | { readonly kind: 'restartStore'; readonly store: 'postgres' | 'kafka' | 'redis' }
  | { readonly kind: 'cut' | 'slow'; readonly link: string; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly topic: 'orders' | 'custody'; readonly share: number }
  | { readonly kind: 'poison'; readonly topic: 'orders' | 'custody'; readonly slot: number }
  | { readonly kind: 'forge'; readonly topic: 'orders' | 'custody'; readonly share: number }
  | {
      readonly kind: 'clock';
      readonly service: string;
      readonly replica: number;
      readonly offsetMs: number;
      readonly ms: number;
    }
  | {
      readonly kind: 'lose' | 'refuse';
      /** A service, or kafka. */
      readonly target: string;
      readonly replica: number;
      readonly ms: number;
    }
  | {
      readonly kind: 'failingStatements';
      readonly database: FailingDatabase;
      readonly sqlstate: string;
      readonly ms: number;
    }
  | { readonly kind: 'failingReceiver'; readonly status: number; readonly ms: number };

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

/** Most operations go to orders so recent that they are not at their end. */
const recentSlots = 10;
const slotsBefore = 4;

type Random = () => number;
const below = (random: Random, n: number): number => Math.floor(random() * n);
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!;

/** Draws an item in proportion to its weight. */
const weighted = <T>(random: Random, table: readonly (readonly [weight: number, item: T])[]): T => {
  let rest = random() * table.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of table) {
    rest -= weight;
    if (rest < 0) return item;
  }
  return table.at(-1)![1];
};

type Draw = (random: Random, slots: number) => Operation;

const oneSlot = (random: Random, slots: number): number =>
  random() < 0.15
    ? below(random, slots)
    : Math.max(0, slots - 1 - below(random, Math.min(slots, recentSlots)));

const ofSlot =
  <K extends Operation & { readonly slot: number }>(kind: K['kind']): Draw =>
  (random, slots) =>
    ({ kind, slot: oneSlot(random, slots) }) as Operation;

const creation =
  (kind: 'create' | 'twins'): Draw =>
  (random, slots) => ({ kind, slot: slots, draft: random() < 0.2, items: below(random, 3) });

const operations: readonly (readonly [number, Draw])[] = [
  [12, creation('create')],
  [4, creation('twins')],
  [3, ofSlot('repeat')],
  [1, ofSlot('reuse')],
  [1, ofSlot('duplicate')],
  [40, ofSlot('advance')],
  [
    10,
    (random, slots) => ({
      kind: 'command',
      slot: oneSlot(random, slots),
      command: pick(random, commandNames),
    }),
  ],
  [
    6,
    (random, slots) => ({
      kind: 'race',
      slot: oneSlot(random, slots),
      commands: Array.from({ length: 2 + below(random, 3) }, () => pick(random, commandNames)),
    }),
  ],
  [2, ofSlot('cancel')],
  [8, ofSlot('read')],
  [4, ofSlot('events')],
  [2, ofSlot('proof')],
  [2, ofSlot('intrude')],
  [2, () => ({ kind: 'list' })],
  [10, () => ({ kind: 'poll' })],
  [1, () => ({ kind: 'audit' })],
  [1, (random) => ({ kind: 'rotate', endpoint: below(random, 3) })],
  [1, (random) => ({ kind: 'replay', endpoint: below(random, 3) })],
  [1, (random) => ({ kind: 'test', endpoint: below(random, 3) })],
  [1, () => ({ kind: 'recover', endpoint: 2 })],
  [1, () => ({ kind: 'move' })],
  [1, () => ({ kind: 'pause' })],
];

const services = ['orders', 'custody', 'webhooks', 'gateway'] as const;
const anyService = (random: Random) =>
  weighted<string>(random, [
    [4, 'orders'],
    [4, 'custody'],
    [4, 'webhooks'],
    [2, 'gateway'],
    [1, 'operator-gateway'],
    [1, 'auditor'],
  ]);

const faults: readonly (readonly [number, (random: Random, slots: number) => Fault])[] = [
  [8, (random) => ({ kind: 'kill', service: anyService(random), replica: below(random, 2) })],
  [2, (random) => ({ kind: 'killAll', service: pick(random, services) })],
  [
    4,
    (random) => ({
      kind: 'freeze',
      service: anyService(random),
      replica: below(random, 2),
      ms: 1000 + below(random, 7000),
    }),
  ],
  [
    2,
    (random) => ({
      kind: 'freezeStore',
      store: pick(random, ['kafka', 'redis'] as const),
      ms: 1000 + below(random, 6000),
    }),
  ],
  [
    2,
    (random) => ({
      kind: 'restartStore',
      store: weighted(random, [
        [3, 'postgres' as const],
        [1, 'kafka' as const],
        [1, 'redis' as const],
      ]),
    }),
  ],
  [3, (random) => ({ kind: 'cut', link: pick(random, links), ms: below(random, 3000) })],
  [3, (random) => ({ kind: 'slow', link: pick(random, links), ms: 1000 + below(random, 5000) })],
  [
    3,
    (random) => ({
      kind: 'duplicate',
      topic: pick(random, ['orders', 'custody'] as const),
      share: random(),
    }),
  ],
  [
    2,
    (random, slots) => ({
      kind: 'poison',
      topic: pick(random, ['orders', 'custody'] as const),
      slot: below(random, slots),
    }),
  ],
  [
    2,
    (random) => ({
      kind: 'forge',
      topic: pick(random, ['orders', 'custody'] as const),
      share: random(),
    }),
  ],
  [
    4,
    (random) => ({
      kind: 'clock',
      service: anyService(random),
      replica: below(random, 2),
      offsetMs: pick(random, clockOffsetsMs),
      ms: 1000 + below(random, 9000),
    }),
  ],
  [
    4,
    (random) => ({
      kind: pick(random, ['lose', 'refuse'] as const),
      target: random() < 0.25 ? 'kafka' : anyService(random),
      replica: below(random, 2),
      ms: 500 + below(random, 5000),
    }),
  ],
  [
    3,
    (random) => ({
      kind: 'failingStatements',
      database: pick(random, ['access', 'orders', 'custody', 'webhooks'] as const),
      sqlstate: pick(random, failures),
      ms: 500 + below(random, 3000),
    }),
  ],
  [
    2,
    (random) => ({
      kind: 'failingReceiver',
      status: pick(random, [500, 503, 404, 302]),
      ms: 500 + below(random, 3000),
    }),
  ],
];

/** A little off, nearly too much, and far off; in both directions. */
const clockOffsetsMs = [5_000, 50_000, 600_000, 7_200_000].flatMap((ms) => [ms, -ms]);

/** Disk full, out of memory, statement canceled, serialization failure. */
const failures = ['53100', '53200', '57014', '40001'];

/** Share of the moments at which many operations begin at once, and how many. */
const burstShare = 0.02;
const burstLength = 11;

/** Connections that a proxy of the workload carries. */
export const links = ['postgres', 'redis'] as const;

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
