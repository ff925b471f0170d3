import { setInterval } from 'node:timers';
import type { Database, Sql } from './database.ts';

/** Time after which the server ends a session that has sent nothing, in seconds. */
const silentSeconds = 10;
/** Interval at which the session says that its process works, in ms. */
const aliveEveryMs = 2000;

/** Thrown when the session has ended: another process may have the lock. */
export class LostLock extends Error {}

/** A lock of one process, and the statements of its session, of which none succeeds without the lock. */
export interface SessionLock extends Sql {
  /** Aborted with a LostLock when the session has ended. A failed statement ends it, too. */
  readonly lost: AbortSignal;
  /** Calls `notified` for each notification on the channel. */
  listen(channel: string, notified: () => void): Promise<void>;
  release(): void;
}

/**
 * Takes a session's advisory lock. So there is no row to clean up: the lock of a dead process is free
 * as soon as the server notices that its session has ended, and that of a process that neither works
 * nor ends after 10 s. The session is a connection out of the database's pool that never returns to it,
 * because another user of the connection would inherit the lock. Its statements are text because a
 * built statement runs on any connection.
 * @param key one bigint or two ints, as SQL, that no other lock of the database has.
 * @returns null while another process has the lock.
 */
export const takeSessionLock = async (
  db: Pick<Database, 'session'>,
  key: string,
): Promise<SessionLock | null> => {
  const client = await db.session();
  const { rows } = await client
    .query<{ got: boolean }>(`select pg_try_advisory_lock(${key}) as got`)
    .catch((error) => {
      client.release(true);
      throw error;
    });
  if (!rows[0]!.got) {
    client.release();
    return null;
  }
  const lost = new AbortController();
  const lose = (cause?: unknown): void => {
    if (lost.signal.aborted) return;
    clearInterval(alive);
    lost.abort(new LostLock('the session of a lock has ended', { cause }));
    client.release(true);
  };
  const query: Sql['query'] = async <Row>(text: string, values: readonly unknown[] = []) => {
    lost.signal.throwIfAborted();
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } catch (error) {
      lose(error);
      throw lost.signal.reason;
    }
  };
  client.on('error', lose).on('end', lose);
  const alive = setInterval(() => query('select').catch(() => {}), aliveEveryMs).unref();
  await query(`set idle_session_timeout = '${silentSeconds}s'`);
  return {
    query,
    lost: lost.signal,
    listen: async (channel, notified) => {
      client.on('notification', notified);
      await query(`listen ${channel}`);
    },
    release: () => lose(),
  };
};
