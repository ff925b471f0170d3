export {
  ConfigError,
  type Declaration,
  exitCodeBadConfiguration,
  readConfig,
  type Settings,
} from './declaration.ts';
export { parseInstantMs } from './instant.ts';
export { type KeyRing, keyRing } from './key-ring.ts';
export {
  base64Key,
  base64Keys,
  byCell,
  cidrs,
  durationMs,
  flag,
  integer,
  list,
  mainCell,
  oneOf,
  parseCidrs,
  parseDurationMs,
  port,
  text,
  url,
  urls,
} from './parsers.ts';
export { type Watched, watchFiles } from './watch-files.ts';
