import type { LockSession } from '@pto/bus';
import type { Database } from '@pto/database';

const channel = 'outbox_written';
/** Minimum interval between notifications. Each notification is a statement. */
const everyMs = 10;

/**
 * Notifies the relays of other replicas about rows that this process has written. The notification
 * is a separate statement after the commit, because inside the transaction it would serialize all
 * commits. A lost notification delays its rows until the next poll.
 */
export const otherRelays = (db: Database) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    notify: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        db.query(`select pg_notify('${channel}', '')`).catch(() => {});
      }, everyMs).unref();
    },
    /** Calls `wake` for each notification that the session receives. */
    listen: async ({ client }: LockSession, wake: () => void): Promise<void> => {
      client.on('notification', wake);
      await client.query(`listen ${channel}`);
    },
    stop: (): void => clearTimeout(timer),
  };
};
