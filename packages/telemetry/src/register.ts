/**
 * Sets up tracing of the `pg` driver. Must be loaded before all other modules (`node --import
 * @pto/telemetry/register`), because the driver can be traced only if its import is intercepted.
 * Does nothing if no exporter is configured.
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
