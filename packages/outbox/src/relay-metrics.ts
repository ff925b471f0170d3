import { type Database, execute } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, type Metrics, sampledGauges } from '@pto/telemetry';
import { tables } from './outbox.ts';

const sampleTimeoutMs = 1000;

export type RelayMetrics = ReturnType<typeof relayMetrics>;

/** Registers the metrics of a relay and of its outbox, which each scrape reads. */
export const relayMetrics = (registry: Metrics, db: Database) => {
  const registers = [registry];
  const relayed = new Counter({
    name: 'outbox_relayed_total',
    help: 'Rows that the bus has acknowledged',
    labelNames: ['topic'],
    registers,
  });
  const failures = new Counter({
    name: 'outbox_relay_failures_total',
    help: 'Batches that the bus or the database rejected; the relay sends them again',
    registers,
  });
  const waitedMs = waited();
  const look = async () => {
    const found = await within(sampleTimeoutMs, 'the outbox', backlog(db)).catch(() => null);
    if (!found) return null;
    const { unsent, waiting } = found;
    return { unsent, oldestSeconds: waitedMs(waiting, performance.now()) / 1000 };
  };
  const sampled = sampledGauges(registry, look);
  sampled('outbox_unsent', 'Rows that wait to be sent', 'unsent');
  sampled(
    'outbox_oldest_unsent_seconds',
    'How long the oldest row waits to be sent, since it was first seen here',
    'oldestSeconds',
  );
  return {
    sent: (topic: string): void => relayed.inc({ topic }),
    failed: (): void => failures.inc(),
  };
};

interface Backlog {
  readonly unsent: number;
  /** Numbers (`id`) of the oldest and the newest unsent row; null if there are none. */
  readonly waiting: { readonly oldest: number; readonly newest: number } | null;
}

export const backlog = async (db: Database): Promise<Backlog> => {
  const [row] = await execute(
    db,
    tables
      .selectFrom('outbox')
      .where('sent_at', 'is', null)
      .select(({ cast, fn }) => [
        cast<number>(fn.countAll(), 'integer').as('unsent'),
        fn.min<string | null>('id').as('oldest'),
        fn.max<string | null>('id').as('newest'),
      ]),
  );
  const { unsent, oldest, newest } = row!;
  const waiting = oldest && newest ? { oldest: Number(oldest), newest: Number(newest) } : null;
  return { unsent, waiting };
};

/**
 * Maximum number of marks. Beyond it every second mark is dropped, so long waits are measured less
 * exactly.
 */
const marksMax = 256;

/**
 * Returns a function that estimates, from repeated reads of one outbox, for how many milliseconds
 * at least the oldest row has waited. A row does not store the time of its writing. The time in its
 * event's id may be much older: custody's rows have the ids of orders' events, so that time would
 * show the catch-up after an outage as an outage. Instead each read records a mark: the id of the
 * newest row and the time of the read. A row with an id up to that of a mark has waited at least
 * since the mark's time.
 */
export const waited = (): ((waiting: Backlog['waiting'], nowMs: number) => number) => {
  let marks: { newest: number; atMs: number }[] = [];
  return (waiting, nowMs) => {
    if (waiting === null) marks = [];
    else {
      marks = marks.filter(({ newest }) => newest >= waiting.oldest);
      if (marks.length === marksMax) marks = marks.filter((_, n) => n % 2 === 0);
      if (marks.at(-1)?.newest !== waiting.newest)
        marks.push({ newest: waiting.newest, atMs: nowMs });
    }
    return marks[0] ? Math.max(0, nowMs - marks[0].atMs) : 0;
  };
};
