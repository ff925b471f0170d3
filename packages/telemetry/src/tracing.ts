import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOffSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/**
 * Starts tracing. Every request has a trace id, so that logs can be correlated; spans are recorded
 * and exported only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Call once per process, before the
 * first span.
 * @returns a function that flushes and ends the export.
 */
export const startTracing = (service: string, endpoint: string | undefined) => {
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

interface SpanOptions {
  readonly kind: Lowercase<keyof typeof SpanKind>;
  readonly attributes?: Attributes;
  /** The W3C traceparent received with the request or message, if any. */
  readonly traceparent?: string | undefined;
}

/** Runs work in a new span. A rejection sets the span's status to error and is thrown again. */
export const inSpan = async <T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const { attributes, traceparent } = options;
  const active = context.active();
  const parent = traceparent ? propagation.extract(active, { traceparent }) : active;
  const kind = SpanKind[options.kind.toUpperCase() as keyof typeof SpanKind];
  const span = trace
    .getTracer('partner-transport-orders')
    .startSpan(name, { kind, ...(attributes && { attributes }) }, parent);
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

const requestIds = new AsyncLocalStorage<string>();

/** Returns the id of the request that is being served; undefined outside of a request. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

export const newRequestId = (): string => randomUUID();

export const withRequestId = <T>(id: string | undefined, work: () => T): T =>
  id === undefined ? work() : requestIds.run(id, work);
