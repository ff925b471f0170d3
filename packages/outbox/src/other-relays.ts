import type { LockSession } from '@pto/bus';
import type { Database } from '@pto/database';

const channel = 'outbox_written';
/** Notifications are sent at most this often; each is a statement. */
const everyMs = 10;

/**
 * Tells the relays of other replicas of rows that were written here. The notification is a statement
 * of its own after the commit: in the transaction it would make all commits wait for each other.
 * One that is lost delays its rows until the next poll.
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
    /** Calls `wake` at each notification that the session receives. */
    listen: async ({ client }: LockSession, wake: () => void): Promise<void> => {
      client.on('notification', wake);
      await client.query(`listen ${channel}`);
    },
    stop: (): void => clearTimeout(timer),
  };
};
