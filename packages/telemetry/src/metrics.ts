import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram };
export type Metrics = Registry;

/**
 * Interval at which the event loop's delay is sampled, in ms. Each sample wakes the process: at
 * prom-client's default of 10 ms, these were six of seven wake-ups of an idle gateway. The metrics of
 * the delay contain the interval.
 */
const eventLoopMonitoringPrecision = 100;

/** Creates a service's own registry, so that several services can run in one process (tests). */
export const createMetrics = (service: string, withProcess = true): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (withProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  return registry;
};
