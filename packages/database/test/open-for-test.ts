import { createTelemetry } from '@pto/telemetry';
import { type Database, openDatabase } from '../src/index.ts';

/** Opens a database with two connections and without a log. */
export const openForTest = (
  url: string,
  limits: {
    statementTimeoutMs?: number;
    lockTimeoutMs?: number;
    session?: Readonly<Record<string, string>>;
  } = {},
): Promise<Database> =>
  openDatabase({
    url,
    poolMax: 2,
    statementTimeoutMs: 1000,
    lockTimeoutMs: 1000,
    ...limits,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
