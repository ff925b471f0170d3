export { ConfigError, exitCodeBadConfiguration } from './config-error.ts';
export { type Declaration, readConfig, type Settings } from './declaration.ts';
export { parseInstantMs } from './instant.ts';
export {
  base64Key,
  cidrs,
  durationMs,
  flag,
  integer,
  list,
  oneOf,
  parseCidrs,
  parseDurationMs,
  port,
  text,
  url,
  urls,
} from './parsers.ts';
