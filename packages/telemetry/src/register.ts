/**
 * To be loaded before anything else (`node --import @pto/telemetry/register`), because the `pg`
 * driver can only be traced if its import is seen. Does nothing without an exporter to send to.
 */
import { register } from 'node:module';

if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  register('import-in-the-middle/hook.mjs', import.meta.url);
  const { registerInstrumentations } = await import('@opentelemetry/instrumentation');
  const { PgInstrumentation } = await import('@opentelemetry/instrumentation-pg');
  registerInstrumentations({
    instrumentations: [new PgInstrumentation({ requireParentSpan: true })],
  });
}
