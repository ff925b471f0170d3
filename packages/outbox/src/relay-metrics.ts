import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, Gauge, type Metrics } from '@pto/telemetry';
import { backlog } from './unsent.ts';

const sampleTimeoutMs = 1000;

interface RelayMetrics {
  sent(topic: string): void;
  failed(): void;
  /** Samples this database when scraped. @returns what ends that. */
  observe(db: Database): () => void;
}

/** One set for all relays of a registry. */
const sets = new WeakMap<Metrics, RelayMetrics>();

export const relayMetrics = (registry: Metrics): RelayMetrics => {
  const known = sets.get(registry) ?? create(registry);
  sets.set(registry, known);
  return known;
};

const create = (registry: Metrics): RelayMetrics => {
  const registers = [registry];
  const observed = new Set<Database>();
  const relayed = new Counter({
    name: 'outbox_relayed_total',
    help: 'Rows that the bus has acknowledged',
    labelNames: ['topic'],
    registers,
  });
  const failures = new Counter({
    name: 'outbox_relay_failures_total',
    help: 'Batches that the bus or the database refused; they are sent again',
    registers,
  });
  const oldest = new Gauge({
    name: 'outbox_oldest_unsent_seconds',
    help: 'Age of the oldest row that waits to be sent',
    registers,
  });
  new Gauge({
    name: 'outbox_unsent',
    help: 'Rows that wait to be sent',
    registers,
    async collect() {
      const asked = [...observed].map((db) => within(sampleTimeoutMs, 'the outbox', backlog(db)));
      const found = (await Promise.allSettled(asked)).flatMap((each) =>
        each.status === 'fulfilled' ? [each.value] : [],
      );
      if (found.length === 0) return;
      this.set(found.reduce((sum, { unsent }) => sum + unsent, 0));
      oldest.set(Math.max(...found.map(({ oldestSeconds }) => oldestSeconds)));
    },
  });
  return {
    sent: (topic) => relayed.inc({ topic }),
    failed: () => failures.inc(),
    observe: (db) => {
      observed.add(db);
      return () => observed.delete(db);
    },
  };
};
