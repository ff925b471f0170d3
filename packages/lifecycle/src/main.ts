import { setFlagsFromString } from 'node:v8';
import {
  ConfigError,
  type Declaration,
  exitCodeBadConfiguration,
  port,
  readConfig,
  type Settings,
  text,
} from '@pto/config';
import { captureConsole, createTelemetry, startTracing, type Telemetry } from '@pto/telemetry';
import { startAdminServer } from './admin-server.ts';
import { type Service, within } from './service.ts';

/**
 * Maximum time for the service to stop, in ms. Must be shorter than the grace period of Kubernetes,
 * after which the process is killed.
 */
const stopTimeoutMs = 9500;

// V8 counts buffers in the limit of its whole heap. By default it collects the whole heap whenever
// buffers of some 64 MB have come and gone, which costs more CPU time than copying them.
setFlagsFromString('--external-memory-accounted-in-global-limit');

const common = {
  replica: text('SERVICE_REPLICA', { fallback: '0' }),
  logLevel: text('LOG_LEVEL', { fallback: 'info' }),
  host: text('BIND_HOST', { fallback: '0.0.0.0' }),
  adminPort: port('ADMIN_PORT', { fallback: 9090 }),
  otlp: text('OTEL_EXPORTER_OTLP_ENDPOINT', { fallback: '' }),
};

/**
 * Runs a service's process: reads the settings (exit code 78 if they are invalid), starts the
 * service and serves until SIGTERM or SIGINT. Then turns readiness off, stops the service and exits
 * with 0. A fatal error, or a stop that takes longer than 9.5 s, is logged at `fatal` and ends the
 * process with 1.
 */
export const main = async <D extends Declarations>(
  name: string,
  declarations: D,
  start: (settings: Settings<D>, telemetry: Telemetry) => Promise<Service>,
): Promise<void> => {
  const requested = stopRequested();
  await once(name, declarations, async (settings, telemetry, shared) => {
    const stopTracing = startTracing(name, shared.otlp || undefined);
    const service = await start(settings, telemetry);
    const admin = await startAdminServer({
      host: shared.host,
      port: shared.adminPort,
      telemetry,
      checks: service.checks,
    });
    service.crashed?.then((error) => die(telemetry, error));
    telemetry.log.info({ adminPort: admin.port }, 'started');
    await requested;
    telemetry.log.info('stopping');
    admin.drain();
    await within(stopTimeoutMs, 'stopping', service.stop());
    await admin.stop();
    await within(500, 'flushing traces', stopTracing()).catch(() => {});
    telemetry.log.info('stopped');
  });
};

type Declarations = Record<string, Declaration<unknown>>;

/**
 * Runs a process that does one piece of work and exits, such as a Kubernetes Job. Exit code 0 after
 * success, 78 for invalid settings, 1 after an error. Errors are logged at `fatal`.
 */
export const once = async <D extends Declarations>(
  name: string,
  declarations: D,
  work: (
    settings: Settings<D>,
    telemetry: Telemetry,
    shared: Settings<typeof common>,
  ) => Promise<void>,
): Promise<void> => {
  let telemetry = createTelemetry({ service: name });
  process.on('uncaughtException', (error) => die(telemetry, error));
  process.on('unhandledRejection', (error) => die(telemetry, error));
  try {
    const shared = readConfig(common, process.env).settings;
    telemetry = createTelemetry({ service: name, replica: shared.replica, level: shared.logLevel });
    captureConsole(telemetry.log);
    const { settings, masked } = readConfig(declarations, process.env);
    telemetry.log.info({ settings: masked }, 'starting');
    await work(settings, telemetry, shared);
    process.exit(0);
  } catch (error) {
    die(telemetry, error);
  }
};

/** Logs the error and ends the process: with 78 for invalid settings, else with 1. */
const die = ({ log }: Telemetry, error: unknown): never => {
  if (error instanceof ConfigError) {
    log.fatal(error.message);
    process.exit(exitCodeBadConfiguration);
  }
  log.fatal({ err: error }, `fatal: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
};

/**
 * Runs one of several roles of a service. The environment variable `variable` names the role; the
 * first role is the default. Any other value is logged and ends the process with exit code 78.
 */
export const mainByRole = async (
  variable: string,
  roles: Readonly<Record<string, () => Promise<void>>>,
): Promise<void> => {
  const names = Object.keys(roles);
  const role = process.env[variable] || names[0]!;
  const start = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (start) return start();
  const reason = `${variable}: expected one of ${names.join(', ')}`;
  createTelemetry({ service: names[0]! }).log.fatal({}, new ConfigError([reason]).message);
  process.exit(exitCodeBadConfiguration);
};

const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
