import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, type Metrics, sampledGauges } from '@pto/telemetry';
import { backlog } from './unsent.ts';
import { waited } from './waited.ts';

const sampleTimeoutMs = 1000;

interface RelayMetrics {
  sent(topic: string): void;
  failed(): void;
  /**
   * Adds a database whose backlog each scrape reads.
   * @returns a function that removes the database.
   */
  observe(db: Database): () => void;
}

/** Metrics by registry. All relays of one registry share one set. */
const sets = new WeakMap<Metrics, RelayMetrics>();

export const relayMetrics = (registry: Metrics): RelayMetrics => {
  const known = sets.get(registry) ?? create(registry);
  sets.set(registry, known);
  return known;
};

const create = (registry: Metrics): RelayMetrics => {
  const registers = [registry];
  /** The databases, each with the function that estimates how long its rows have waited. */
  const observed = new Map<Database, ReturnType<typeof waited>>();
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
  const look = async () => {
    const reads = [...observed].map(async ([db, waits]) => {
      const { unsent, waiting } = await within(sampleTimeoutMs, 'the outbox', backlog(db));
      return { unsent, oldestMs: waits(waiting, performance.now()) };
    });
    const found = await Promise.all(reads).catch(() => []); // one failed read drops both gauges: a partial sum would hide a backlog
    if (found.length === 0) return null;
    return {
      unsent: found.reduce((sum, { unsent }) => sum + unsent, 0),
      oldestSeconds: Math.max(...found.map(({ oldestMs }) => oldestMs)) / 1000,
    };
  };
  const sampled = sampledGauges(registry, look);
  sampled('outbox_unsent', 'Rows that wait to be sent', 'unsent');
  sampled(
    'outbox_oldest_unsent_seconds',
    'How long the oldest row waits to be sent, since it was first seen here',
    'oldestSeconds',
  );
  return {
    sent: (topic) => relayed.inc({ topic }),
    failed: () => failures.inc(),
    observe: (db) => {
      observed.set(db, waited());
      return () => observed.delete(db);
    },
  };
};
