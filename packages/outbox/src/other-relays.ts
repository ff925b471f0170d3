import { type Database, execute } from '@pto/database';
import { tables } from './outbox-table.ts';

/** The channel of notifications between relays. */
export const channel = 'outbox_written';
const notification = tables.selectNoFrom(({ fn, val }) =>
  fn<string>('pg_notify', [val(channel), val('')]).as('sent'),
);
/**
 * Delay of a notification. Calls of `notify` during the delay share one notification, because each
 * notification is a statement.
 */
const everyMs = 10;

/**
 * Notifies the relays of other replicas about rows that this process has written. The notification
 * is a separate statement after the commit, because inside the transaction it would serialize all
 * commits. If a notification is lost, the other relays find the rows at their next poll.
 */
export const otherRelays = (db: Database) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    notify: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        execute(db, notification).catch(() => {});
      }, everyMs).unref();
    },
    stop: (): void => clearTimeout(timer),
  };
};
