import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { leaseSql } from './lease-sql.ts';
import { locksOf, type Member, type ShardLock, shareOf } from './shard-share.ts';
import { allFamilies, familyOf } from './shards.ts';

/**
 * Returns the families that a notification names. One without families is of the release before, and
 * concerns all.
 */
const familiesIn = (payload = ''): readonly number[] =>
  payload === '' ? allFamilies : payload.split(',').map(Number);

type Session = Awaited<ReturnType<Database['session']>>;

const checkEveryMs = 500;

/**
 * Divides the shards of the outbox evenly among all relays. Membership and ownership are session
 * advisory locks, read from pg_locks, so there are no rows to clean up: the shards of a dead process
 * are free as soon as the server notices that the process's session has ended, and those of one that
 * neither works nor ends after 10 s. The session is a
 * connection out of the database's pool that never returns to it, because another user of the
 * connection would inherit the locks. The statements (`lease-sql.ts`) are text because they belong
 * to that session.
 */
export const holdShards = (options: {
  db: Database;
  /** The number of shards that this process is set to. */
  count: number;
  /** A channel to which the session listens. */
  channel: string;
  /**
   * Called with the families that a notification names, and with those of which this process has
   * acquired shards.
   */
  changed(concerned: readonly number[]): void;
  /** Called when this process has acquired shards, before it uses them. */
  taken(): void;
  /**
   * Called before this process releases shards of a family. Another process can get them only after
   * the returned promise has resolved; it is called again after a failure.
   */
  finish(family: number): Promise<void>;
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
    values: readonly unknown[] = [],
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
    opened.on('notification', ({ payload }) => options.changed(familiesIn(payload)));
    session = opened;
    await ask(opened, leaseSql.listen(options.channel));
    await ask(opened, leaseSql.join, [member, options.count]);
    return opened;
  };

  const release = (from: Session, locks: readonly ShardLock[]): Promise<unknown> => {
    const numbers = locks.map(({ number }) => number);
    const exclusive = locks.map(({ isExclusive }) => isExclusive);
    return ask(from, leaseSql.release, [numbers, exclusive]).catch(() => lose(from));
  };

  const isFinished = (family: number): Promise<boolean> =>
    options.finish(family).then(
      () => true,
      () => false,
    );

  const giveUp = async (family: number, shards: readonly number[], from: Session) => {
    const isOurs = () => session === from && !worker.signal.aborted;
    // a batch that is still being sent would come after the next ones of its keys
    while (isOurs() && !(await isFinished(family))) await sleep(checkEveryMs);
    if (!isOurs()) return;
    for (const shard of shards) {
      held.delete(shard);
      leaving.delete(shard);
    }
    await release(from, shards.flatMap(locksOf));
  };

  /** Takes the shards of which all locks are free. */
  const take = async (shards: readonly number[], current: Session) => {
    const locks = shards.flatMap(locksOf);
    const { rows } = await ask<{ shard: number; got: boolean }>(current, leaseSql.take, [
      locks.map(({ shard }) => shard),
      locks.map(({ number }) => number),
      locks.map(({ isExclusive }) => isExclusive),
    ]);
    const failed = new Set(rows.filter(({ got }) => !got).map(({ shard }) => shard));
    const partial = locks.filter(({ shard }, n) => failed.has(shard) && rows[n]!.got);
    if (partial.length > 0) await release(current, partial);
    const taken = shards.filter((shard) => !failed.has(shard));
    if (taken.length === 0 || session !== current) return;
    options.taken();
    for (const shard of taken) held.add(shard);
    options.changed(taken.map(familyOf));
  };

  const check = async () => {
    const current = await connected();
    const { rows } = await ask<Member>(current, leaseSql.members);
    const mine = new Set(shareOf(member, rows));
    const missing = [...mine].filter((shard) => !held.has(shard));
    // Before the others are released: PostgreSQL does not let locks of one session exclude each
    // other, so rows that stay with this process always have an owner.
    if (missing.length > 0) await take(missing, current);
    if (session !== current) return;
    const lost = [...held].filter((shard) => !mine.has(shard) && !leaving.has(shard));
    for (const [family, shards] of Map.groupBy(lost, familyOf)) {
      const given = giveUp(family, shards, current);
      for (const shard of shards) leaving.set(shard, given);
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
      const finished = [...new Set([...held].map(familyOf))].map(options.finish);
      await Promise.allSettled([...finished, ...leaving.values()]);
      session = undefined;
      held.clear();
      ending.release(true);
    },
  };
};
