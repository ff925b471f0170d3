import { randomInt } from 'node:crypto';
import type { Database } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { allShards, outboxShards } from './outbox.ts';

/**
 * The first numbers of the advisory locks: `classid` of the members and of the shards. The second
 * number identifies the member or the shard.
 */
const [memberSpace, shardSpace] = [0x161c, 0x161d];

/**
 * The statements of leases. They are text because they name no table: they set parameters of a
 * session and lock numbers.
 */
const leaseSql = {
  /**
   * Makes the server detect a dead connection within about 11 s (TCP keepalive) instead of two
   * hours, so that it releases the session's locks.
   */
  noticeDeath: [
    'set tcp_keepalives_idle = 5',
    'set tcp_keepalives_interval = 2',
    'set tcp_keepalives_count = 3',
  ],
  listen: (channel: string) => `listen ${channel}`,
  join: `select pg_advisory_lock(${memberSpace}, $1)`,
  take: `select pg_try_advisory_lock(${shardSpace}, $1) got`,
  release: `select pg_advisory_unlock(${shardSpace}, $1)`,
  /** Lists the members that have joined: a scan of the lock table, filtered by database. */
  members: `select l.objid::int as member from pg_locks l
  join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = ${memberSpace}`,
} as const;

/**
 * Returns the shards that a notification names. One without shards is of the release before, and
 * concerns all.
 */
const shardsIn = (payload = ''): readonly number[] =>
  payload === '' ? allShards : payload.split(',').map(Number);

type Session = Awaited<ReturnType<Database['session']>>;

const checkEveryMs = 500;

/**
 * Divides the shards of the outbox evenly among all relays. Membership and ownership are session
 * advisory locks, read from pg_locks, so there are no rows to clean up: the shards of a dead process
 * are free as soon as the server notices that the process's session has ended. The session is a
 * connection out of the database's pool that never returns to it, because another user of the
 * connection would inherit the locks.
 */
export const holdShards = (options: {
  db: Database;
  /** A channel to which the session listens. */
  channel: string;
  /**
   * Called with the shards that a notification names, and with a shard that this process has
   * acquired.
   */
  changed(shards: readonly number[]): void;
  /**
   * Called before this process releases a shard. Another process can get the shard only after the
   * returned promise has settled.
   */
  finish(shard: number): Promise<void>;
  log: Logger;
}) => {
  const member = randomInt(1, 2 ** 31);
  const held = new Set<number>();
  const leaving = new Map<number, Promise<void>>();
  let session: Session | undefined;

  let last: Promise<unknown> = Promise.resolve();
  /** Runs one statement at a time, because one lease can be released while another is requested. */
  const ask = <Row extends object>(
    client: Session,
    text: string,
    values: readonly number[] = [],
  ): Promise<{ rows: Row[] }> => {
    const asked = last.then(() => client.query<Row>(text, [...values]));
    last = asked.catch(() => {});
    return asked;
  };

  const lose = (of: Session) => {
    if (session !== of) return;
    session = undefined;
    held.clear();
    leaving.clear();
    of.release(true);
  };

  const connected = async (): Promise<Session> => {
    if (session) return session;
    const opened = await options.db.session();
    for (const event of ['error', 'end'] as const) opened.on(event, () => lose(opened));
    opened.on('notification', ({ payload }) => options.changed(shardsIn(payload)));
    session = opened;
    await ask(opened, leaseSql.listen(options.channel));
    for (const setting of leaseSql.noticeDeath) await ask(opened, setting);
    await ask(opened, leaseSql.join, [member]);
    return opened;
  };

  const giveUp = async (shard: number, from: Session) => {
    await options.finish(shard).catch(() => {});
    if (session !== from) return;
    held.delete(shard);
    leaving.delete(shard);
    await ask(from, leaseSql.release, [shard]).catch(() => lose(from));
  };

  const check = async () => {
    const current = await connected();
    const { rows } = await ask<{ member: number }>(current, leaseSql.members);
    const members = rows.map((row) => row.member).sort((a, b) => a - b);
    const rank = members.indexOf(member);
    for (let shard = 0; shard < outboxShards && session === current; shard++) {
      const mine = shard % members.length === rank;
      if (!mine && held.has(shard) && !leaving.has(shard)) {
        leaving.set(shard, giveUp(shard, current));
      } else if (mine && !held.has(shard)) {
        const got = await ask<{ got: boolean }>(current, leaseSql.take, [shard]);
        if (got.rows[0]?.got && session === current) {
          held.add(shard);
          options.changed([shard]);
        }
      }
    }
  };

  const worker = startWorker({
    tick: async () => {
      await check();
      return checkEveryMs;
    },
    failed: (err) => {
      options.log.warn({ err }, 'shard leases could not be acquired or renewed');
      if (session) lose(session);
    },
  });

  const holds = (shard: number): boolean => held.has(shard) && !leaving.has(shard);
  return {
    holds,
    /** Returns the shards that this process holds and is not handing over. */
    held: (): readonly number[] => [...held].filter(holds),
    stop: async (): Promise<void> => {
      await worker.stop();
      const ending = session;
      if (!ending) return;
      const finished = [...held].map((shard) => leaving.get(shard) ?? options.finish(shard));
      await Promise.allSettled(finished);
      session = undefined;
      held.clear();
      ending.release(true);
    },
  };
};
