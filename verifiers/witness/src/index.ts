import { readConfig } from '@pto/config';
import { settings, type WitnessSettings } from './config.ts';

export { startWitness } from './service.ts';

/** Reads a witness's settings. @throws ConfigError for invalid settings. */
export const settingsOf = (
  environment: Readonly<Record<string, string | undefined>>,
): WitnessSettings => readConfig(settings, environment).settings;
