import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

const tracer = () => trace.getTracer('partner-transport-orders');

let isExporting = false;

/**
 * Starts tracing. Every request has a trace id, so that logs can be correlated; spans are recorded
 * and exported only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Call once per process, before the
 * first span.
 * @returns a function that flushes and ends the export.
 */
export const startTracing = (service: string, endpoint: string | undefined) => {
  isExporting = Boolean(endpoint);
  const resource = resourceFromAttributes({ 'service.name': service });
  const provider = endpoint
    ? new TracerProvider({
        resource,
        spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
      })
    : new TracerProvider({ resource, sampler: new AlwaysOffSampler() });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
};

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** The W3C traceparent received with the request or message, if any. */
  readonly traceparent?: string | undefined;
}

const kinds: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

const parent = (traceparent: string | undefined): Context =>
  traceparent === undefined
    ? context.active()
    : propagation.extract(context.active(), { traceparent });

const ids = new RandomIdGenerator();

/**
 * Returns a span that only has ids: the span that the tracer of `startTracing` returns if nothing
 * is exported, in less than half of its time.
 */
const unrecordedSpan = (traceparent: string | undefined): Span => {
  const received = traceparent === undefined ? null : parseTraceParent(traceparent);
  const above = received ?? trace.getActiveSpan()?.spanContext();
  return trace.wrapSpanContext({
    traceId: above?.traceId ?? ids.generateTraceId(),
    spanId: ids.generateSpanId(),
    traceFlags: TraceFlags.NONE,
  });
};

const recordedSpan = (name: string, { traceparent, kind, attributes }: SpanOptions): Span =>
  tracer().startSpan(
    name,
    { kind: kinds[kind], ...(attributes && { attributes }) },
    parent(traceparent),
  );

/** Runs work in a new span. A rejection sets the span's status to error and is thrown again. */
export const inSpan = async <T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = isExporting ? recordedSpan(name, options) : unrecordedSpan(options.traceparent);
  try {
    return await context.with(trace.setSpan(context.active(), span), work, undefined, span);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};

/**
 * Returns the W3C traceparent to send with a request or to store in an outbox row; undefined
 * outside of a trace.
 */
export const currentTraceparent = (): string | undefined => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};
