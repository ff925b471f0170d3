import { Histogram, type Telemetry } from '@pto/telemetry';
import type { RequestHandler } from 'express';

/**
 * Measures every request, and logs those that are no files: kind, status and duration, never a
 * path's parameters, a cookie or a body.
 */
export const observe = (telemetry: Telemetry): RequestHandler => {
  const seconds = new Histogram({
    name: 'console_http_seconds',
    help: 'Duration of requests of browsers in seconds, by kind and status',
    labelNames: ['kind', 'status'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30],
    registers: [telemetry.metrics],
  });
  return ({ path }, response, next) => {
    const begun = performance.now();
    const kind = kindOf(path);
    response.once('close', () => {
      const ms = performance.now() - begun;
      const status = response.writableFinished ? response.statusCode : 499;
      seconds.observe({ kind, status }, ms / 1000);
      if (kind !== 'file') telemetry.log.info({ kind, status, ms: Math.round(ms) }, 'request');
    });
    next();
  };
};

const kindOf = (path: string): string => {
  if (['/rpc/', '/api/', '/o/'].some((start) => path.startsWith(start))) return 'call';
  return path === '/session' ? 'session' : 'file';
};
