import type { Bus } from '@pto/bus';
import { type Database, execute } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { familyOfKey, tables } from './outbox.ts';
import { relayMetrics } from './relay-metrics.ts';
import { startRepartition } from './repartition.ts';
import { holdShards } from './shard-leases.ts';
import { createShardWork } from './shard-work.ts';
import { allFamilies, allSlices, families, familyOf, slicesByFamily } from './shards.ts';
import { createTopicPartitions } from './topic-partitions.ts';

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
   * Makes the relays that own shards with these keys read the outbox immediately: this relay, and
   * those of other replicas by a notification. Without keys all relays read. Call this after a
   * commit.
   * @param keys of the messages that were written.
   */
  wake(keys?: readonly string[]): void;
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
  bus: Pick<Bus, 'publish' | 'ends' | 'lag'>;
  telemetry: Telemetry;
  /** Returns the consumer groups of a topic. */
  readersOf: (topic: string) => readonly string[];
  /** Number of shards (`outboxSettings`); 4 by default. */
  shards?: number;
  /** Interval in ms at which an idle relay reads the outbox; 1 s by default. */
  idlePollMs?: number;
}): Relay => {
  const { db, bus, telemetry, shards = families, idlePollMs = idlePollMsDefault } = options;
  const others = otherRelays(db);
  const metrics = relayMetrics(telemetry.metrics, db);
  const partitions = createTopicPartitions({ db, bus });
  const leases = holdShards({
    db,
    count: shards,
    channel,
    changed: (concerned) => {
      if (leases.held().some((shard) => concerned.includes(familyOf(shard)))) worker.wake();
    },
    taken: partitions.forget,
    finish: (family) => within(finishWithinMs, 'finishing a batch', work.finish(family)),
    log: telemetry.log,
  });
  const work = createShardWork({
    ...options,
    bus: { publish: async (messages) => bus.publish(await partitions.addTo(messages)) },
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

  const repartition = startRepartition({
    ...options,
    isInCharge: () => leases.held().some((shard) => familyOf(shard) === 0),
    log: telemetry.log,
  });

  return {
    wake: (keys) => {
      const written = [...new Set(keys ? keys.map(familyOfKey) : allFamilies)];
      const held = slicesByFamily(leases.held());
      if (written.some((family) => held.has(family))) worker.wake();
      const ofOthers = written.filter((family) => held.get(family) !== allSlices);
      if (ofOthers.length > 0) others.notify(ofOthers);
    },
    stop: async () => {
      others.stop();
      await repartition.stop();
      await worker.stop();
      await leases.stop();
    },
  };
};

/** The channel of notifications between relays. */
const channel = 'outbox_written';
const notification = (concerned: readonly number[]) =>
  tables.selectNoFrom(({ fn, val }) =>
    fn<string>('pg_notify', [val(channel), val(concerned.join())]).as('sent'),
  );
/**
 * Delay of a notification. Calls of `notify` during the delay share one notification, because each
 * notification is a statement.
 */
const notifyEveryMs = 10;

/**
 * Notifies the relays of other replicas about rows that this process has written, with the families
 * of the rows, so that the owners of others do not read for nothing. The notification is a separate
 * statement after the commit, because inside the transaction it would serialize all commits. If a
 * notification is lost, the other relays find the rows at their next poll.
 */
const otherRelays = (db: Database) => {
  let timer: NodeJS.Timeout | undefined;
  const written = new Set<number>();
  return {
    notify: (concerned: readonly number[]): void => {
      for (const family of concerned) written.add(family);
      timer ??= setTimeout(() => {
        timer = undefined;
        const told = [...written];
        written.clear();
        execute(db, notification(told)).catch(() => {});
      }, notifyEveryMs).unref();
    },
    stop: (): void => clearTimeout(timer),
  };
};
