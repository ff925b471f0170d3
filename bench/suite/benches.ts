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
  /** None where the peer does less than the ratio's rule demands of both sides. */
  readonly goal?: Goal;
  /** What one side does and the other does not. */
  readonly note: string;
}

const express = 'Express checks no key, limits nothing, calls no other process and logs nothing.';
const pgbench = 'pgbench sends its statements from C without HTTP, and publishes no event.';

export const benches: readonly Bench[] = [
  {
    ratio: 'R1',
    file: 'get-order.ts',
    env: { CONNECTIONS: '32' },
    goal: { ratio: 0.6 },
    note: express,
  },
  {
    ratio: 'R1',
    file: 'get-order.ts',
    env: { CONNECTIONS: '128' },
    goal: { ratio: 0.95 },
    note: express,
  },
  {
    ratio: 'R2',
    file: 'create-orders.ts',
    env: { CONNECTIONS: '32' },
    goal: { ratio: 1 },
    note: pgbench,
  },
  {
    ratio: 'R2',
    file: 'create-orders.ts',
    env: { CONNECTIONS: '128' },
    goal: { ratio: 1.25 },
    note: pgbench,
  },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    env: { BULLMQ: 'synced' },
    defaults: { BACKLOG: '10000' },
    goal: { ratio: 1.5 },
    note: 'BullMQ has no order per order and endpoint, no slots, no judged addresses, no health; its Redis syncs what it acknowledges. graphile-worker, Outpost and Convoy are not measured.',
  },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    env: { BULLMQ: 'unsynced' },
    defaults: { BACKLOG: '10000' },
    note: 'The same, with a Redis that loses what it acknowledged when it dies. No goal is set for it.',
  },
  {
    ratio: 'R4',
    file: 'webhook-latency.ts',
    defaults: { RATES: '50,200', SECONDS: '8' },
    goal: { p50Ms: 30, p95Ms: 50 },
    note: 'Time from the request to the received webhook. The other side (Outpost, Convoy) is absent, so there is no ratio.',
  },
  {
    ratio: 'R5',
    file: 'append-one-event.ts',
    note: 'immudb is not available in the registries of this project. PostgreSQL alone stands in: it inserts a row and does not hash, chain, sign, log or announce. The goal of 4 is set against immudb, so no goal applies.',
  },
  {
    ratio: 'R6',
    file: 'verify-chain.ts',
    goal: { ratio: 0.5 },
    note: 'The other side only hashes.',
  },
  {
    ratio: 'R7',
    file: 'limit-requests.ts',
    goal: { ratio: 0.85 },
    note: 'Both gateways run from the sources on one local stack; limits of bytes and concurrency stay on both sides.',
  },
  { ratio: 'R8', file: 'reject-requests.ts', goal: { ratio: 0.8 }, note: express },
  {
    ratio: 'R9',
    file: 'relay-outbox.ts',
    goal: { ratio: 0.6 },
    note: 'kafkajs reads no rows, marks none as sent and holds no lease.',
  },
  {
    ratio: 'R10',
    file: 'grow-database.ts',
    defaults: { ROWS: '1000000', BENCH_MS: '1000', BENCH_WARM_MS: '1000' },
    goal: { atMost: 1.25 },
    note: '1,000,000 orders by default instead of the 10,000,000 of the rule (ROWS=10000000), samples of 1 s instead of 5 s. The log does not contain the filled entries; the auditor is suspended.',
  },
  {
    ratio: 'R11',
    file: 'replay-order.ts',
    goal: { ratio: 0.8 },
    note: 'Both sides are the local stack; the response bodies are equal.',
  },
  {
    ratio: 'R12',
    file: 'list-orders.ts',
    goal: { ratio: 0.5 },
    note: `${express} Its page has no cursor.`,
  },
];
