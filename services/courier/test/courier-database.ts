import { migrate, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { testDatabase } from '@pto/testing';
import { migrations } from '../migrations/index.ts';

const open = (url: string) =>
  openDatabase({
    url,
    poolMax: 4,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 10_000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });

/** A database of the courier on which no replica works: the test takes the steps itself. */
export const openCourierDatabase = async () => {
  const database = await testDatabase('courier');
  await migrate(database.ownerUrl, migrations);
  const db = await open(database.serviceUrl);
  return {
    database,
    db,
    open: () => open(database.serviceUrl),
    /** Ends the lease, or the pause, of each run that is not over. */
    endLeases: () =>
      db.query('update runs set due_at = clock_timestamp() where due_at is not null'),
    stop: () => db.close(),
  };
};

export type CourierDatabase = Awaited<ReturnType<typeof openCourierDatabase>>;
