import { type Database, type SessionLock, type Sql, takeSessionLock } from '@pto/database';

/** Key of the session lock of the mover, in the database `access`: any number that no other lock has. */
const lockKey = '7302912';

/** The session of the mover that works. It alone changes moves, so one that is lost switches none. */
export interface Session extends Pick<SessionLock, 'query' | 'lost' | 'release'> {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Takes the session lock of the mover. @returns null while another mover works. */
export const openSession = async (db: Database): Promise<Session | null> => {
  const lock = await takeSessionLock(db, lockKey);
  if (!lock) return null;
  const { query, lost, release } = lock;
  return {
    query,
    lost,
    release,
    transaction: async (work) => {
      await query('begin');
      try {
        const result = await work({ query });
        await query('commit');
        return result;
      } catch (error) {
        if (!lost.aborted) await query('rollback');
        throw error;
      }
    },
  };
};
