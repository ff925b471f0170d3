import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram };
export type Metrics = Registry;

/** Creates a service's own registry, so that several services can run in one process (tests). */
export const createMetrics = (service: string, withProcess = true): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (withProcess) collectDefaultMetrics({ register: registry });
  return registry;
};
