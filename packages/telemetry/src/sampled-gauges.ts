import { Gauge, type Metrics } from './metrics.ts';

/**
 * Gauges that are parts of one look at something, taken as they are scraped; those of one scrape
 * share it. No number is better than an old one.
 * @param look null if it is not available.
 * @returns what makes a gauge of a part.
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
        else this.remove(); // reset() would say 0
      },
    });
  };
};
