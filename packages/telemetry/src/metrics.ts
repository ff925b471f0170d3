import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram };
export type Metrics = Registry;

/**
 * Interval at which the event loop's delay is sampled, in ms. Each sample wakes the process: at
 * prom-client's default of 10 ms, these were six of seven wake-ups of an idle gateway. The metrics of
 * the delay contain the interval.
 */
const eventLoopMonitoringPrecision = 100;

/** Creates a registry that nothing reads. */
export const unreadMetrics = (): Metrics => new Registry();

/** Creates a service's own registry, so that several services can run in one process (tests). */
export const createMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  return registry;
};

/**
 * Returns a function that registers gauges which share one sample per scrape. If no sample is
 * available, the gauges have no series: a missing series triggers the absent alert.
 * @param look takes the sample; resolves with null if no sample is available. A member that is null
 *   has no series.
 * @returns a function that registers a gauge for one member of the sample.
 */
export const sampledGauges = <Part extends string>(
  metrics: Metrics,
  look: () => Promise<Readonly<Record<Part, number | null>> | null>,
) => {
  let looking: ReturnType<typeof look> | undefined;
  return (name: string, help: string, part: Part): void => {
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        const value = (await looking)?.[part] ?? null;
        if (value !== null) this.set(value);
        else this.remove(); // reset() would export 0
      },
    });
  };
};
