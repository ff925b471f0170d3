import type { Bus } from '@pto/bus';
import { type Database, execute } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { createLease } from './lease.ts';
import { tables } from './outbox.ts';
import { relayMetrics } from './relay-metrics.ts';
import { createTopicPartitions, type PartitionTimings } from './topic-partitions.ts';
import { markAndRead } from './unsent.ts';

const batchMax = 500;
/**
 * Time within which sent rows are marked, in ms, if no commit wakes the relay before. The next read
 * marks them in its statement.
 */
const markWithinMs = 100;
/** Interval at which a relay that does not send tries to, in ms. */
const tryEveryMs = 500;
/**
 * Poll interval of an idle relay. A commit or a notification wakes the relay; the poll finds rows
 * for which no wake signal arrived.
 */
const idlePollMsDefault = 1000;
const finishWithinMs = 5000;

export interface Relay {
  /**
   * Makes the relay that sends read the outbox immediately: this one, or that of another replica by a
   * notification. Call this after a commit.
   */
  wake(): void;
  /**
   * Waits up to 5 s for the batch that is being published. Other rows stay in the outbox for
   * another relay or the next start.
   */
  stop(): Promise<void>;
}

/**
 * Publishes committed outbox rows to the bus. Every replica runs a relay, and one at a time sends
 * (`lease.ts`): it carries more events than a cell writes (R9 in docs/performance.md), and keeps one
 * connection of the database's pool. A batch follows another, so rows of a key stay in order.
 */
export const startRelay = (options: {
  db: Database;
  bus: Pick<Bus, 'publish' | 'ends' | 'lag'>;
  telemetry: Telemetry;
  /** Returns the consumer groups of a topic. */
  readersOf: (topic: string) => readonly string[];
  /** Interval in ms at which an idle relay reads the outbox; 1 s by default. */
  idlePollMs?: number;
  /** When added partitions of topics are used. */
  timings?: PartitionTimings;
}): Relay => {
  const { db, bus, telemetry, idlePollMs = idlePollMsDefault } = options;
  const { log } = telemetry;
  const others = otherRelays(db);
  const metrics = relayMetrics(telemetry.metrics, db);
  /** Event ids of rows that the bus has acknowledged and that are not marked as sent yet. */
  const unmarked = new Set<string>();
  const lease = createLease({
    db,
    channel,
    notified: () => worker.wake(),
    taken: () => partitions.forget(),
  });
  const partitions = createTopicPartitions({ ...options, lease, log });

  /** Marks what was sent, and reads rows that were not. */
  const read = async (most: number) => {
    const sent = [...unmarked];
    const rows = await markAndRead(db, { sent, most });
    for (const id of sent) unmarked.delete(id);
    return rows;
  };

  /** Sends a batch. @returns whether further rows may wait. */
  const send = async (): Promise<boolean> => {
    const rows = await read(batchMax);
    // another process may send since the rows were read
    if (rows.length === 0 || !lease.isHeld()) return false;
    await bus.publish(await partitions.addTo(rows));
    for (const { id, topic } of rows) {
      unmarked.add(id);
      metrics.sent(topic);
    }
    return rows.length === batchMax;
  };

  const worker = startWorker({
    tick: async (signal) => {
      if (!(await lease.acquire())) {
        if (unmarked.size > 0) await read(0);
        return tryEveryMs;
      }
      await partitions.follow(signal);
      if (await send()) return 0;
      return unmarked.size > 0 ? Math.min(markWithinMs, idlePollMs) : idlePollMs;
    },
    failed: (err, failures) => {
      metrics.failed();
      log[failures === 1 ? 'warn' : 'debug'](
        { err, failures },
        'outbox rows could not be sent yet',
      );
      return undefined;
    },
  });

  return {
    wake: () => {
      if (lease.isHeld()) worker.wake();
      else others.notify();
    },
    stop: async () => {
      others.stop();
      const finish = async () => {
        await worker.stop();
        if (unmarked.size > 0) await read(0); // so that the next relay does not send them again
      };
      await within(finishWithinMs, 'finishing a batch', finish()).catch(() => {});
      lease.release();
    },
  };
};

/** The channel of notifications between relays. */
const channel = 'outbox_written';
const notification = tables.selectNoFrom(({ fn, val }) =>
  fn<string>('pg_notify', [val(channel), val('')]).as('sent'),
);
/**
 * Delay of a notification. Calls of `notify` during the delay share one notification, because each
 * notification is a statement.
 */
const notifyEveryMs = 10;

/**
 * Notifies the relay of another replica about rows that this process has written. The notification is
 * a separate statement after the commit, because inside the transaction it would serialize all
 * commits. If a notification is lost, the relay finds the rows at its next poll.
 */
const otherRelays = (db: Database) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    notify: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        execute(db, notification).catch(() => {});
      }, notifyEveryMs).unref();
    },
    stop: (): void => clearTimeout(timer),
  };
};
