import { until } from '@pto/testing';
import { Client } from 'pg';

/** Holds back every effect of a consuming service, so that a replay stops in front of its first one. */
export const holdEffects = async ({ ownerUrl }: { ownerUrl: string }) => {
  const holder = new Client({ connectionString: ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table effects in access exclusive mode');
  return {
    /** Waits until one session of the database waits for a lock of that kind (pg_locks.locktype). */
    untilOneWaitsFor: (locktype: string, more: { what: string; deadlineMs?: number }) =>
      until(async () => {
        const waiting = await holder.query(
          `select from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and not granted and locktype = $1`,
          [locktype],
        );
        return waiting.rowCount === 1;
      }, more),
    release: async () => {
      await holder.query('commit');
      await holder.end();
    },
  };
};
