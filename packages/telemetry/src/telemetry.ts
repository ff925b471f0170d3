import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** A service's logger and metrics, which every part of the service gets. */
export interface Telemetry {
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export const createTelemetry = (options: Parameters<typeof createLogger>[0]): Telemetry => ({
  service: options.service,
  log: createLogger(options),
  metrics: createMetrics(options.service),
});
