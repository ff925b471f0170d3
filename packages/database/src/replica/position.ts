import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import { type Placeholders, statement } from '../statements/statement.ts';
import { tablesOf } from '../statements/tables.ts';

/** A place in a server's write-ahead log. */
export interface Position {
  readonly lsn: string;
  /** Grows with each failover: positions of two timelines cannot be compared. */
  readonly timeline: number;
}

const timeline = sql<number>`(select timeline_id from pg_control_checkpoint())`;

const selectPosition = statement(() =>
  tablesOf([]).selectNoFrom([
    sql<string>`pg_current_wal_flush_lsn()::text`.as('lsn'),
    timeline.as('timeline'),
  ]),
);

/** Returns the place after everything that the primary has committed. @throws Error on a replica */
export const positionOf = async (primary: Sql): Promise<Position> =>
  (await selectPosition(primary))[0]!;

const selectReplayed = statement((given: Placeholders<{ lsn: string; timeline: number }>) =>
  tablesOf([]).selectNoFrom(
    sql<boolean>`pg_is_in_recovery() and ${timeline} = ${given.timeline}::int
      and coalesce(pg_last_wal_replay_lsn() >= ${given.lsn}::pg_lsn, false)`.as('has'),
  ),
);

/**
 * Returns whether a replica has replayed everything before a position of its primary. False also for
 * a server that was promoted, and after a failover until the replica's next restart point: before it
 * might follow a server whose last commits are lost.
 */
export const replayed = async (replica: Sql, position: Position): Promise<boolean> =>
  (await selectReplayed(replica, { ...position }))[0]!.has;
