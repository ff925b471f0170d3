/** The ratios of the suite. */
export interface Bench {
  readonly ratio: string;
  /** A program of the folder bench; it reports one result for each comparison (measuring/report.ts). */
  readonly file: string;
  /** What one side does and the other does not. */
  readonly note: string;
}

const express = 'Express checks no key, limits nothing, calls no other process and logs nothing.';

export const benches: readonly Bench[] = [
  { ratio: 'R1', file: 'get-order.ts', note: express },
  {
    ratio: 'R2',
    file: 'create-orders.ts',
    note: 'pgbench sends its statements without HTTP and publishes no event.',
  },
  {
    ratio: 'R3',
    file: 'drain-deliveries.ts',
    note: 'BullMQ has no order for each order and endpoint, no slots, no judged addresses and no health. graphile-worker, Outpost and Convoy are not measured.',
  },
  {
    ratio: 'R4',
    file: 'webhook-latency.ts',
    note: 'From the request to the received webhook. The other side is measured with OUTPOST=FOLDER: Outpost publishes an event where ours creates an order, and keeps no ledger; the ratio is that of the p95. Convoy is not measured.',
  },
  {
    ratio: 'R5',
    file: 'append-one-event.ts',
    note: 'Tessera is the POSIX driver of v1.0.4 with synced files: a log alone, without proofs of origin, chains, outbox, database, order index or anchor, which the ledger has. The bus and its inbox are on neither side. It gathers 100 leaves or 5 ms, because its defaults let 100 callers wait 250 ms for each batch. "The log alone" queues hashes in PostgreSQL and still has the order index and the anchor.',
  },
  {
    ratio: 'R9',
    file: 'relay-outbox.ts',
    note: 'kafkajs reads no rows, marks none as sent and holds no lease.',
  },
  { ratio: 'R12', file: 'list-orders.ts', note: `${express} Its page has no cursor.` },
  {
    ratio: 'R13',
    file: 'commit-fields.ts',
    note: 'The other side has the same texts in open fields. From the announcement by orders to the entry of custody, without the bus between them.',
  },
];
