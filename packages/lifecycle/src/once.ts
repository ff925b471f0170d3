import {
  ConfigError,
  type Declaration,
  exitCodeBadConfiguration,
  readConfig,
  type Settings,
  text,
} from '@pto/config';
import { createTelemetry, type Telemetry } from '@pto/telemetry';

const common = { logLevel: text('LOG_LEVEL', { fallback: 'info' }) };

/**
 * Runs a process that does one piece of work and exits, such as a Kubernetes Job. Exit code 0 after
 * success, 78 for invalid settings, 1 after an error. Errors are logged at `fatal`.
 */
export const once = async <D extends Record<string, Declaration<unknown>>>(
  name: string,
  declarations: D,
  work: (settings: Settings<D>, telemetry: Telemetry) => Promise<void>,
): Promise<void> => {
  let telemetry = createTelemetry({ service: name });
  try {
    const { logLevel: level } = readConfig(common, process.env).settings;
    telemetry = createTelemetry({ service: name, level });
    const { settings, masked } = readConfig(declarations, process.env);
    telemetry.log.info({ settings: masked }, 'starting');
    await work(settings, telemetry);
    process.exit(0);
  } catch (error) {
    const bad = error instanceof ConfigError;
    const { message } = error as Error;
    telemetry.log.fatal(bad ? {} : { err: error }, bad ? message : `failed: ${message}`);
    process.exit(bad ? exitCodeBadConfiguration : 1);
  }
};
