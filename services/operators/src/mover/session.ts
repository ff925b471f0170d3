import type { Database, Sql } from '@pto/database';

/** Key of the session lock of the mover, in the database `access`: any number that no other lock has. */
const lockKey = 7_302_912;

/** Thrown when the session has ended: another mover may work. */
export class LostSession extends Error {}

/** The session of the mover that works. It alone changes moves, so one that is lost switches none. */
export interface Session extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Aborted when the session is lost. */
  readonly lost: AbortSignal;
  end(): void;
}

/**
 * Takes the session lock of the mover. The lock ends with the session, also that of a killed process.
 * @returns null while another mover works.
 */
export const openSession = async (db: Database): Promise<Session | null> => {
  const client = await db.session();
  const lost = new AbortController();
  const lose = (error?: unknown) => {
    if (lost.signal.aborted) return;
    lost.abort(new LostSession('the session of the mover has ended', { cause: error }));
    client.release(true);
  };
  client.on('error', lose);
  client.on('end', () => lose());
  const query: Sql['query'] = async <Row>(text: string, values: readonly unknown[] = []) => {
    lost.signal.throwIfAborted();
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } catch (error) {
      lose(error);
      throw lost.signal.reason;
    }
  };
  const session: Session = {
    query,
    transaction: async (work) => {
      await query('begin');
      try {
        const result = await work({ query });
        await query('commit');
        return result;
      } catch (error) {
        if (!lost.signal.aborted) await query('rollback');
        throw error;
      }
    },
    lost: lost.signal,
    end: () => lose(),
  };
  const [lock] = await query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
    lockKey,
  ]);
  if (lock!.is_ours) return session;
  session.end();
  return null;
};
