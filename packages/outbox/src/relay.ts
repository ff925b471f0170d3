import type { Bus } from '@pto/bus';
import { type Database, execute } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { outboxShards, tables } from './outbox.ts';
import { relayMetrics } from './relay-metrics.ts';
import { holdShards } from './shard-leases.ts';
import { createShardWork } from './shard-work.ts';

/** Poll interval while a shard pauses after a failed batch. */
const restingPollMs = 50;
/**
 * Time within which sent rows are marked, in ms, if no commit wakes the relay before. The next read
 * marks them in its statement.
 */
const markWithinMs = 100;
const failedPollMs = 500;
/**
 * Poll interval of an idle relay. A commit or a notification wakes the relay; the poll finds rows
 * for which no wake signal arrived.
 */
const idlePollMsDefault = 1000;
const finishWithinMs = 5000;

export interface Relay {
  /**
   * Reads the outbox immediately, and notifies the relays of other replicas unless this relay owns
   * all shards. Call this after a commit.
   */
  wake(): void;
  /**
   * Waits up to 5 s for the batches that are being published. Other rows stay in the outbox for
   * another relay or the next start.
   */
  stop(): Promise<void>;
}

/**
 * Publishes committed outbox rows to the bus. Every replica runs a relay; each shard has one owner
 * at a time, and the shards are divided evenly. The relay keeps one connection of the database's
 * pool.
 */
export const startRelay = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  /** Interval in ms at which an idle relay reads the outbox; 1 s by default. */
  idlePollMs?: number;
}): Relay => {
  const { db, telemetry, idlePollMs = idlePollMsDefault } = options;
  const others = otherRelays(db);
  const metrics = relayMetrics(telemetry.metrics, db);
  const leases = holdShards({
    db,
    channel,
    changed: () => worker.wake(),
    finish: (shard) => within(finishWithinMs, 'finishing a shard', work.finish(shard)),
    log: telemetry.log,
  });
  const work = createShardWork({
    ...options,
    metrics,
    owned: (shard) => !worker.signal.aborted && leases.holds(shard),
    done: () => worker.wake(),
  });

  const worker = startWorker({
    tick: async () => {
      await work.start(leases.held());
      if (work.isResting()) return restingPollMs;
      return work.isSending() ? Math.min(markWithinMs, idlePollMs) : idlePollMs;
    },
    failed: (error) => {
      telemetry.log.debug({ err: error }, 'the outbox could not be read');
      return failedPollMs;
    },
  });

  return {
    wake: () => {
      worker.wake();
      if (leases.held().length < outboxShards) others.notify();
    },
    stop: async () => {
      others.stop();
      await worker.stop();
      await leases.stop();
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
 * Notifies the relays of other replicas about rows that this process has written. The notification
 * is a separate statement after the commit, because inside the transaction it would serialize all
 * commits. If a notification is lost, the other relays find the rows at their next poll.
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
