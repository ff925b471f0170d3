import { below, pick, type Random, weighted } from '../../random.ts';
import type { Fault } from './fault.ts';

/** Connections that a proxy of the workload carries. */
export const links = ['postgres', 'redis'] as const;

const services = ['orders', 'custody', 'webhooks', 'gateway'] as const;
const anyService = (random: Random) =>
  weighted<string>(random, [
    [4, 'orders'],
    [4, 'custody'],
    [4, 'webhooks'],
    [2, 'gateway'],
    [1, 'operators'],
    [1, 'auditor'],
  ]);

/** Faults and their weights. */
export const faults: readonly (readonly [number, (random: Random, slots: number) => Fault])[] = [
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
