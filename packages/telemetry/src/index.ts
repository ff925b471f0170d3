export { captureConsole } from './capture-console.ts';
export { createLogger, type Logger } from './logger.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics } from './metrics.ts';
export { currentRequestId, newRequestId, withRequestId } from './request-id.ts';
export { sampledGauges } from './sampled-gauges.ts';
export { scrub } from './scrub.ts';
export { createTelemetry, type Telemetry } from './telemetry.ts';
export {
  currentTraceparent,
  inSpan,
  type SpanOptions,
  startTracing,
} from './tracing.ts';
