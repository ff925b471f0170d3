import { type Database, LostLock, type SessionLock, takeSessionLock } from '@pto/database';

/** The advisory lock of the relay that sends. Each database has one. */
const key = '5661, 0';

export type Lease = ReturnType<typeof createLease>;

/**
 * The exclusive right to send the rows of a database's outbox.
 * @param options.notified called for each notification on the channel while the lease is held.
 * @param options.taken called when the lease was acquired, before `acquire` returns.
 */
export const createLease = (options: {
  readonly db: Pick<Database, 'session'>;
  readonly channel: string;
  notified(): void;
  taken(): void;
}) => {
  let lock: SessionLock | null = null;
  const isHeld = (): boolean => lock?.lost.aborted === false;
  return {
    /** Whether this process holds the lease, as far as it knows. */
    isHeld,
    /** Holds the lease, or tries to take it. @returns whether it is held. */
    acquire: async (): Promise<boolean> => {
      if (isHeld()) return true;
      const taken = await takeSessionLock(options.db, key);
      await taken?.listen(options.channel, options.notified);
      if (taken) options.taken();
      lock = taken;
      return isHeld();
    },
    /** Runs a statement in the session. @throws LostLock if the lease was lost. */
    query: async (text: string, values: readonly unknown[]): Promise<void> => {
      if (!lock) throw new LostLock('the lease is not held');
      await lock.query(text, values);
    },
    release: (): void => lock?.release(),
  };
};
