import type { LockSession } from '@pto/bus';
import type { Database } from '@pto/database';

/**
 * Takes a connection out of the database's pool for session advisory locks. The connection is
 * closed at the end and never returns to the pool.
 */
export const lockSession = async (db: Database): Promise<LockSession> => {
  const pool = await db.read((em) => em.getConnection().getNativeClient());
  const client = await pool.connect();
  return {
    client,
    // destroyed, not released: another user of the connection would inherit the locks
    close: async () => client.release(true),
  };
};
