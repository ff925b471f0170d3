export { captureConsole, type Logger, scrub } from './logger.ts';
export {
  Counter,
  Gauge,
  Histogram,
  type Metrics,
  sampledGauges,
  unreadMetrics,
} from './metrics.ts';
export { createTelemetry, type Telemetry } from './telemetry.ts';
export {
  currentRequestId,
  currentTraceparent,
  inSpan,
  newRequestId,
  startTracing,
  withRequestId,
} from './tracing.ts';
