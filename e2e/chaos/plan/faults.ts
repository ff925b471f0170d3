import type { FailingDatabase } from '../faults/failing-statements.ts';
import { below, pick, type Random, weighted } from './random.ts';

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

/** Connections that a proxy of the workload carries. */
export const links = ['postgres', 'redis'] as const;

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
