import { within } from '@pto/lifecycle';
import { Counter, Gauge, Histogram, type Metrics } from '@pto/telemetry';
import type { Source } from './consumer-tables.ts';

type Outcome = 'handled' | 'duplicate' | 'parked' | 'rejected' | 'failed';

/** Functions that read the sampled values. Each scrape of the metrics calls them. */
interface Samples {
  lag(): Promise<number>;
  deadLetters(): Promise<number>;
  rejected(): Promise<number>;
}

export interface ConsumerMetrics {
  count(source: Source, outcome: Outcome, messages: number): void;
  /** Counts messages that the bus deleted before the group had read them. */
  lost(source: Source, messages: number): void;
  startTimer(source: Source): () => void;
  /**
   * Adds a consumer to the scrape.
   * @returns a function that removes the consumer from the scrape.
   */
  observe(source: Source, samples: Samples): () => void;
}

const sampleTimeoutMs = 1000;

/** The metrics of each registry. All consumers with the same registry share its metrics. */
const sets = new WeakMap<Metrics, ConsumerMetrics>();

export const consumerMetrics = (registry: Metrics): ConsumerMetrics => {
  const known = sets.get(registry) ?? create(registry);
  sets.set(registry, known);
  return known;
};

const create = (registry: Metrics): ConsumerMetrics => {
  const registers = [registry];
  const observed = new Map<Source, Samples>();
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
  const sampled = (name: string, help: string, sample: keyof Samples) =>
    new Gauge({
      name,
      help,
      labelNames: ['topic', 'group'],
      registers,
      async collect() {
        this.reset(); // a missing series triggers the absent alert, an old value would not
        await Promise.all(
          [...observed].map(async ([source, samples]) => {
            const number = await within(sampleTimeoutMs, name, samples[sample]()).catch(() => null);
            if (number !== null) this.set({ ...source }, number);
          }),
        );
      },
    });
  sampled('bus_consumer_lag', 'Messages the group has not finished', 'lag');
  sampled('bus_dead_letters', 'Parked messages that wait for a replay', 'deadLetters');
  sampled('bus_rejected_messages', 'Stored messages without proof of origin', 'rejected');
  return {
    count: (source, outcome, n) => {
      if (n > 0) messages.inc({ ...source, outcome }, n);
    },
    lost: (source, n) => lost.inc({ ...source }, n),
    startTimer: (source) => seconds.startTimer({ ...source }),
    observe: (source, samples) => {
      observed.set(source, samples);
      // export the counters as 0 before their first increase: the alert compares that increase with
      // this 0
      messages.inc({ ...source, outcome: 'rejected' }, 0);
      lost.inc({ ...source }, 0);
      return () => observed.delete(source);
    },
  };
};
