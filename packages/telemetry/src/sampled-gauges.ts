import { Gauge, type Metrics } from './metrics.ts';

/**
 * Returns a function that registers gauges which share one sample per scrape. If no sample is
 * available, the gauges have no series: a missing series triggers the absent alert.
 * @param look takes the sample; resolves with null if no sample is available.
 * @returns a function that registers a gauge for one member of the sample.
 */
export const sampledGauges = <Part extends string>(
  metrics: Metrics,
  look: () => Promise<Readonly<Record<Part, number>> | null>,
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
        const sample = await looking;
        if (sample) this.set(sample[part]);
        else this.remove(); // reset() would export 0
      },
    });
  };
};
