import { setInterval } from 'node:timers';
import type { Database } from '@pto/database';

type Session = Awaited<ReturnType<Database['session']>>;

/** The advisory lock of the relay that sends. Each database has one. */
const lock = '5661, 0';
/** Time after which the server ends a session that has sent nothing, in seconds. */
const silentSeconds = 10;
/** Interval at which the holder's session says that its process works, in ms. */
const aliveEveryMs = 2000;

export type Lease = ReturnType<typeof createLease>;

/**
 * The exclusive right to send the rows of a database's outbox: a session's advisory lock. So there is
 * no row to clean up: the lock of a dead process is free as soon as the server notices that its session
 * has ended, and that of a process that neither works nor ends after 10 s. The session is a connection
 * out of the database's pool that never returns to it, because another user of the connection would
 * inherit the lock. What the session runs is text because a built statement runs on any connection.
 * @param options.notified called for each notification on the channel while the lease is held.
 * @param options.taken called when the lease was acquired, before `acquire` returns.
 */
export const createLease = (options: {
  readonly db: Pick<Database, 'session'>;
  readonly channel: string;
  notified(): void;
  taken(): void;
}) => {
  let session: Session | undefined;
  let isHeld = false;
  let alive: NodeJS.Timeout | undefined;

  const lose = (of: Session): void => {
    if (session !== of) return;
    session = undefined;
    isHeld = false;
    clearInterval(alive);
    of.release(true);
  };

  const connected = async (): Promise<Session> => {
    if (session) return session;
    const opened = await options.db.session();
    session = opened;
    for (const event of ['error', 'end'] as const) opened.on(event, () => lose(opened));
    opened.on('notification', options.notified);
    return opened;
  };

  const take = async (current: Session): Promise<boolean> => {
    const { rows } = await current.query<{ got: boolean }>(
      `select pg_try_advisory_lock(${lock}) as got, set_config('idle_session_timeout', '${silentSeconds}s', false)`,
    );
    if (!rows[0]!.got) return false;
    await current.query(`listen ${options.channel}`);
    if (session !== current) return false;
    alive = setInterval(() => current.query('select').catch(() => lose(current)), aliveEveryMs);
    alive.unref();
    options.taken();
    isHeld = true;
    return true;
  };

  return {
    /** Whether this process holds the lease, as far as it knows. */
    isHeld: (): boolean => isHeld,
    /** Holds the lease, or tries to take it. @returns whether it is held. */
    acquire: async (): Promise<boolean> => {
      if (isHeld) return true;
      const current = await connected();
      return take(current).catch((error) => {
        lose(current);
        throw error;
      });
    },
    /** Runs a statement in the session, so that it fails if the lease was lost. */
    query: async (text: string, values: readonly unknown[]): Promise<void> => {
      if (!session || !isHeld) throw new Error('the lease was lost');
      await session.query(text, [...values]);
    },
    release: (): void => {
      if (session) lose(session);
    },
  };
};
