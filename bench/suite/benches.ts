/** The ratios of the suite: how each is measured, and what it is to reach. */

/** `ratio`: of operations per second, at least; `atMost`: of p50; the rest: our own times. */
export interface Goal {
  readonly ratio?: number;
  readonly atMost?: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

export interface Bench {
  readonly ratio: string;
  /** A program of the folder bench; it reports one result for each comparison (reporting.ts). */
  readonly file: string;
  /** Settings that make the comparison what it is. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings that the environment may override. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** None where the other side is not that of the ratio's rule. */
  readonly goal?: Goal;
}

const many = { CONNECTIONS: '128' };
const few = { CONNECTIONS: '32' };

export const benches: readonly Bench[] = [
  { ratio: 'R1', file: 'get-order.ts', env: few, goal: { ratio: 0.6 } },
  { ratio: 'R1', file: 'get-order.ts', env: many, goal: { ratio: 0.95 } },
  { ratio: 'R2', file: 'create-orders.ts', env: few, goal: { ratio: 1 } },
  { ratio: 'R2', file: 'create-orders.ts', env: many, goal: { ratio: 1.25 } },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    env: { BULLMQ: 'synced' },
    defaults: { BACKLOG: '10000' },
    goal: { ratio: 1.5 },
  },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    env: { BULLMQ: 'unsynced' },
    defaults: { BACKLOG: '10000' },
  },
  {
    ratio: 'R4',
    file: 'webhook-latency.ts',
    defaults: { RATES: '50,200', SECONDS: '8' },
    goal: { p50Ms: 30, p95Ms: 50 },
  },
  { ratio: 'R5', file: 'append-one-event.ts' },
  { ratio: 'R6', file: 'verify-chain.ts', goal: { ratio: 0.5 } },
  { ratio: 'R7', file: 'limit-requests.ts', goal: { ratio: 0.85 } },
  { ratio: 'R9', file: 'relay-outbox.ts', goal: { ratio: 0.6 } },
  {
    ratio: 'R10',
    file: 'grow-database.ts',
    defaults: { ROWS: '1000000', BENCH_MS: '1000', BENCH_WARM_MS: '1000' },
    goal: { atMost: 1.25 },
  },
  { ratio: 'R11', file: 'replay-order.ts', goal: { ratio: 0.8 } },
  { ratio: 'R12', file: 'list-orders.ts', goal: { ratio: 0.5 } },
];
