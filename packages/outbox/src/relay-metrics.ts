import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import { Counter, type Metrics, sampledGauges } from '@pto/telemetry';
import { backlog } from './unsent.ts';
import { waited } from './waited.ts';

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
