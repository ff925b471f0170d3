import { format } from 'node:util';
import type { Logger } from './logger.ts';

/**
 * Redirects what libraries print to the console into the log, scrubbed and as JSON like every other
 * line. A plain-text line breaks a log pipeline and can contain a secret.
 */
export const captureConsole = (log: Logger): void => {
  const levels = {
    error: 'warn',
    warn: 'warn',
    log: 'info',
    info: 'info',
    debug: 'debug',
  } as const;
  for (const [method, level] of Object.entries(levels))
    console[method as keyof typeof levels] = (...values: unknown[]) =>
      log[level]({ printed: format(...values) }, 'a library printed to the console');
};
