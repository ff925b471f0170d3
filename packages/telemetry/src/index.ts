export { captureConsole, createLogger, type Logger, scrub } from './logger.ts';
export {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  type Metrics,
  sampledGauges,
} from './metrics.ts';
export { createTelemetry, type Telemetry } from './telemetry.ts';
export {
  currentRequestId,
  currentTraceparent,
  inSpan,
  newRequestId,
  type SpanOptions,
  startTracing,
  withRequestId,
} from './tracing.ts';
