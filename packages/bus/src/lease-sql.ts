/**
 * The statements of shard leases (shares.ts). They are text because they name no
 * table: they set parameters of a session and lock numbers. Each advisory lock has two numbers. The
 * first number identifies the set (`classid`); the second identifies the share or the member. A
 * lock is one entry of PostgreSQL's shared lock table; taking it reads no relation.
 */
import type { ClientBase } from 'pg';

export const leaseSql = {
  /**
   * Makes the server detect a dead connection within about 11 s (TCP keepalive) instead of two
   * hours, so that it releases the session's locks.
   */
  noticeDeath: [
    'set tcp_keepalives_idle = 5',
    'set tcp_keepalives_interval = 2',
    'set tcp_keepalives_count = 3',
  ],
  join: 'select pg_advisory_lock($1, $2)',
  take: 'select pg_try_advisory_lock($1, $2) got',
  release: 'select pg_advisory_unlock($1, $2)',
  /**
   * Lists the members that have joined a set: a scan of the lock table, filtered by database and
   * set.
   */
  members: `select l.objid::int as member from pg_locks l
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = $1::int::oid`,
} as const;

/** Runs one of these statements on a session. */
export const runLease = <Row extends object>(
  client: ClientBase,
  text: string,
  values: readonly number[],
): Promise<{ rows: Row[] }> => client.query<Row>(text, [...values]);
