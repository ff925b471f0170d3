import { within } from '@pto/lifecycle';
import { Counter, Gauge, Histogram, type Metrics } from '@pto/telemetry';
import type { Source } from './consumer-tables.ts';

const sampleTimeoutMs = 1000;

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;

/**
 * Registers the metrics of a consumer.
 * @param samples functions that read the sampled values. Each scrape of the metrics calls them.
 */
export const consumerMetrics = (
  registry: Metrics,
  source: Source,
  samples: Readonly<Record<'lag' | 'deadLetters' | 'rejected', () => Promise<number>>>,
) => {
  const registers = [registry];
  const messages = new Counter({
    name: 'bus_messages_total',
    help: 'Messages by outcome; a failed message is redelivered or parked',
    labelNames: ['topic', 'group', 'outcome'],
    registers,
  });
  const lost = new Counter({
    name: 'bus_messages_lost_total',
    help: 'Messages that the bus deleted before the group had read them',
    labelNames: ['topic', 'group'],
    registers,
  });
  const seconds = new Histogram({
    name: 'bus_handle_seconds',
    help: 'Transactions with the effects of one or several messages, without failed transactions',
    labelNames: ['topic', 'group'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const sampled = (name: string, help: string, sample: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      labelNames: ['topic', 'group'],
      registers,
      async collect() {
        this.reset(); // a missing series triggers the absent alert, an old value would not
        const number = await within(sampleTimeoutMs, name, sample()).catch(() => null);
        if (number !== null) this.set({ ...source }, number);
      },
    });
  sampled('bus_consumer_lag', 'Messages the group has not finished', samples.lag);
  sampled('bus_dead_letters', 'Parked messages that wait for a replay', samples.deadLetters);
  sampled('bus_rejected_messages', 'Stored messages without proof of origin', samples.rejected);
  // export the counters as 0 before their first increase: the alert compares that increase with
  // this 0
  messages.inc({ ...source, outcome: 'rejected' }, 0);
  lost.inc({ ...source }, 0);
  return {
    /** @param outcome handled, duplicate, parked, rejected or failed. */
    count: (outcome: string, n: number): void => {
      if (n > 0) messages.inc({ ...source, outcome }, n);
    },
    /** Counts messages that the bus deleted before the group had read them. */
    lost: (n: number): void => lost.inc({ ...source }, n),
    startTimer: () => seconds.startTimer({ ...source }),
  };
};
