import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';

/** Telemetry that nobody reads. */
export const silent = () => createTelemetry({ service: 'bench', write: () => {} });

/** Opens a database of a benchmark: 8 connections, statements of up to 2 minutes. */
export const openSilently = (
  url: string,
  more: Partial<Parameters<typeof openDatabase>[0]> = {},
): ReturnType<typeof openDatabase> =>
  openDatabase({
    ...{ url, poolMax: 8, statementTimeoutMs: 120_000, lockTimeoutMs: 5000 },
    telemetry: silent(),
    ...more,
  });
