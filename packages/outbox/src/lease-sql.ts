import { families } from './shards.ts';

/**
 * The first numbers of the advisory locks: `classid` of the members, of the shards, of the
 * numbers of shards that the members are set to, and of the pause of all relays. The second number
 * identifies the member or the shard, or is the number of shards.
 */
const [memberSpace, shardSpace, countSpace, pauseSpace] = [0x161c, 0x161d, 0x161e, 0x161f];

/** Time after which a session that has sent nothing loses its locks, in seconds. */
const silentSeconds = 10;
const endsInSilence = `set_config('idle_session_timeout', '${silentSeconds}s', false)`;

/**
 * The statements of leases. They are text because they belong to one session: they lock numbers, and
 * change a row under its locks.
 */
export const leaseSql = {
  listen: (channel: string) => `listen ${channel}`,
  /**
   * Parameters: the member, and the number of shards that it is set to. The server ends the session of
   * a process that neither works nor ends: one that works uses it twice a second.
   */
  join: `select pg_advisory_lock(${memberSpace}, $1), pg_advisory_lock_shared(${countSpace}, $2),
    ${endsInSilence}`,
  /**
   * Requests locks, and returns one row for each, with its shard. Parameters: parallel arrays of
   * the shards, of the numbers to lock, and of whether the lock is exclusive.
   */
  take: `select l.shard, case when l.is_exclusive then pg_try_advisory_lock(${shardSpace}, l.number)
    else pg_try_advisory_lock_shared(${shardSpace}, l.number) end as got
  from unnest($1::int[], $2::int[], $3::bool[]) as l (shard, number, is_exclusive)`,
  /** Releases locks. Parameters: parallel arrays of the numbers, and of whether exclusive. */
  release: `select case when l.is_exclusive then pg_advisory_unlock(${shardSpace}, l.number)
    else pg_advisory_unlock_shared(${shardSpace}, l.number) end
  from unnest($1::int[], $2::bool[]) as l (number, is_exclusive)`,
  /**
   * Lists the members that have joined, each with the number of shards that it is set to: null for
   * a relay of a release without `OUTBOX_SHARDS`. A session that pauses the relays is a row, too. One
   * scan of the lock table, filtered by database.
   */
  members: `select max(l.objid) filter (where l.classid = ${memberSpace})::int as member,
    max(l.objid) filter (where l.classid = ${countSpace})::int as count,
    bool_or(l.classid = ${pauseSpace}) as pauses
  from pg_locks l
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
    and l.classid in (${memberSpace}, ${countSpace}, ${pauseSpace})
  group by l.pid
  having bool_or(l.classid in (${memberSpace}, ${pauseSpace}))`,
  /**
   * Makes all relays release their shards, until the session ends. The server ends that of a process
   * that neither works nor ends.
   */
  pause: `select pg_try_advisory_lock(${pauseSpace}, 0) as got, ${endsInSilence}`,
  /** Takes the shards that no relay holds. @returns whether the session has all. */
  takeAll: `select bool_and(pg_try_advisory_lock(${shardSpace}, n)) as got
  from generate_series(0, ${families - 1}) as n`,
  /**
   * Stores the number of partitions among which the keys of a topic are divided. In the session that
   * pauses the relays, so that it fails if the session has lost its locks.
   */
  usePartitions: 'update topic_partitions set partitions = $2 where topic = $1',
} as const;
