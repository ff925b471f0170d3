/**
 * The ratios of the suite: how each is measured, what it is to reach, and what one side does and the
 * other does not.
 */
export interface Bench {
  readonly ratio: string;
  /** A program of the folder bench; it reports one result for each comparison (measuring/report.ts). */
  readonly file: string;
  /** Settings that make the comparison what it is. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings that the environment may override. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** For readers; none where the other side is not that of the ratio's rule. */
  readonly goal?: string;
}

const many = { CONNECTIONS: '128' };
const few = { CONNECTIONS: '32' };

export const benches: readonly Bench[] = [
  { ratio: 'R1', file: 'get-order.ts', env: few, goal: 'at least 0.6' },
  { ratio: 'R1', file: 'get-order.ts', env: many, goal: 'at least 0.95' },
  { ratio: 'R2', file: 'create-orders.ts', env: few, goal: 'at least 1' },
  { ratio: 'R2', file: 'create-orders.ts', env: many, goal: 'at least 1.25' },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    defaults: { BACKLOG: '10000' },
    goal: 'at least 1.5',
  },
  {
    ratio: 'R4',
    file: 'webhook-latency.ts',
    defaults: { RATES: '50,200', SECONDS: '8' },
    goal: 'p50 30 ms, p95 50 ms',
  },
  { ratio: 'R5', file: 'append-one-event.ts', goal: 'at least 1' },
  { ratio: 'R9', file: 'relay-outbox.ts', goal: 'at least 0.6' },
  { ratio: 'R12', file: 'list-orders.ts', goal: 'at least 0.5' },
  { ratio: 'R13', file: 'commit-fields.ts', goal: 'at least 0.85' },
];

const express = 'Express checks no key, limits nothing, calls no other process and logs nothing.';

export const notes: Readonly<Record<string, string>> = {
  R1: express,
  R2: 'pgbench sends its statements without HTTP and publishes no event.',
  R3: 'BullMQ has no order for each order and endpoint, no slots, no judged addresses and no health. graphile-worker, Outpost and Convoy are not measured.',
  R4: 'From the request to the received webhook. The other side is measured with OUTPOST=FOLDER: Outpost publishes an event where ours creates an order, and keeps no ledger; the ratio is that of the p95, to reach 0.5. Convoy is not measured.',
  R5: 'Tessera is the POSIX driver of v1.0.4 with synced files: a log alone, without proofs of origin, chains, outbox, database, order index or anchor, which the ledger has. The bus and its inbox are on neither side. It gathers 100 leaves or 5 ms, because its defaults let 100 callers wait 250 ms for each batch. "The log alone" queues hashes in PostgreSQL and still has the order index and the anchor.',
  R9: 'kafkajs reads no rows, marks none as sent and holds no lease.',
  R13: 'The other side has the same texts in open fields. From the announcement by orders to the entry of custody, without the bus between them.',
  R12: `${express} Its page has no cursor.`,
};
