import { randomInt } from 'node:crypto';
import type { Logger } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { ClientBase } from 'pg';

/**
 * The statements of leases. They are text because they name no table: they set parameters of a
 * session and lock numbers. Each advisory lock has two numbers. The first number identifies the set
 * (`classid`); the second identifies the share or the member.
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

/** A dedicated database session. Its advisory locks end with it. */
export interface LockSession {
  readonly client: ClientBase;
  close(): Promise<void>;
}

export interface ShareOptions {
  connect(): Promise<LockSession>;
  /**
   * Number of this set of shares, from 1 to 2^30 - 1. Sets of one database need different numbers.
   */
  readonly space: number;
  /** Shares are numbered from 0 to count - 1. */
  readonly count: number;
  /**
   * Called before this process releases a share. Another process can get the share only after the
   * returned promise has settled.
   */
  finish(share: number): Promise<void>;
  /**
   * Called when this process notices that its session has ended: other processes may already hold
   * the shares.
   */
  lost(): void;
  readonly log: Logger;
}

export interface Shares {
  /** Returns the shares that this process holds and is not handing over. */
  held(): readonly number[];
  holds(share: number): boolean;
  stop(): Promise<void>;
}

const checkEveryMs = 500;

/**
 * Divides numbered shares evenly among all processes that use the same space. Membership and
 * ownership are session advisory locks, read from pg_locks, so there are no rows to clean up: the
 * shares of a dead process are free as soon as the server notices that the process's session has
 * ended.
 */
export const holdShares = (options: ShareOptions): Shares & { readonly first: Promise<void> } => {
  const member = randomInt(1, 2 ** 31);
  const held = new Set<number>();
  const leaving = new Map<number, Promise<void>>();
  let session: LockSession | undefined;

  let last: Promise<unknown> = Promise.resolve();
  /** Runs one statement at a time, because one lease can be released while another is requested. */
  const ask = <Row extends object>(
    { client }: LockSession,
    text: string,
    values: readonly number[] = [],
  ): Promise<{ rows: Row[] }> => {
    const asked = last.then(() => client.query<Row>(text, [...values]));
    last = asked.catch(() => {});
    return asked;
  };

  const lose = (of: LockSession) => {
    if (session !== of) return;
    session = undefined;
    held.clear();
    leaving.clear();
    options.lost();
    of.close().catch(() => {});
  };

  const connected = async (): Promise<LockSession> => {
    if (session) return session;
    const opened = await options.connect();
    for (const event of ['error', 'end'] as const) opened.client.on(event, () => lose(opened));
    session = opened;
    for (const setting of leaseSql.noticeDeath) await ask(opened, setting);
    await ask(opened, leaseSql.join, [options.space * 2, member]);
    return opened;
  };

  const giveUp = async (share: number, from: LockSession) => {
    await options.finish(share).catch(() => {});
    if (session !== from) return;
    held.delete(share);
    leaving.delete(share);
    await ask(from, leaseSql.release, [options.space * 2 + 1, share]).catch(() => lose(from));
  };

  const check = async () => {
    const current = await connected();
    const { rows } = await ask<{ member: number }>(current, leaseSql.members, [options.space * 2]);
    const members = rows.map((row) => row.member).sort((a, b) => a - b);
    const rank = members.indexOf(member);
    for (let share = 0; share < options.count && session === current; share++) {
      const mine = share % members.length === rank;
      if (!mine && held.has(share) && !leaving.has(share)) {
        leaving.set(share, giveUp(share, current));
      } else if (mine && !held.has(share)) {
        const got = await ask<{ got: boolean }>(current, leaseSql.take, [
          options.space * 2 + 1,
          share,
        ]);
        if (got.rows[0]?.got && session === current) held.add(share);
      }
    }
  };

  const worker = startWorker({
    tick: async () => {
      await check();
      return checkEveryMs;
    },
    failed: (error) => {
      options.log.warn(
        { err: error, space: options.space },
        'shard leases could not be acquired or renewed',
      );
      if (session) lose(session);
    },
  });

  const holds = (share: number) => held.has(share) && !leaving.has(share);
  return {
    first: worker.first,
    holds,
    held: () => [...held].filter(holds),
    stop: async () => {
      await worker.stop();
      const ending = session;
      if (!ending) return;
      const finished = [...held].map((share) => leaving.get(share) ?? options.finish(share));
      await Promise.allSettled(finished);
      session = undefined;
      held.clear();
      await ending.close().catch(() => {});
    },
  };
};
