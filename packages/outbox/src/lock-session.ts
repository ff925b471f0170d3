import type { LockSession } from '@pto/bus';
import type { Database } from '@pto/database';

/** A connection taken out of the database's pool for good: its advisory locks are ours alone. */
export const lockSession = async (db: Database): Promise<LockSession> => {
  const pool = await db.read((em) => em.getConnection().getNativeClient());
  const client = await pool.connect();
  return {
    client,
    // destroyed, not given back: nobody else is to inherit the locks
    close: async () => client.release(true),
  };
};
