import { type Bus, holdShares } from '@pto/bus';
import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { lockSession } from './lock-session.ts';
import { otherRelays } from './other-relays.ts';
import { outboxShards } from './outbox-table.ts';
import { relayMetrics } from './relay-metrics.ts';
import { createShardWork } from './shard-work.ts';
import { backlog, shardsWithUnsent } from './unsent.ts';

const busyPollMs = 5;
/** While rows wait for the bus to accept them again. */
const restingPollMs = 50;
const failedPollMs = 500;
/** A commit wakes the relay, and the other replicas' by a notification: this finds what both miss. */
const idlePollMsDefault = 1000;
const finishWithinMs = 5000;
/** The space of the relays' advisory locks within a service's database. */
const lockSpace = 0x0b0e;

export interface Relay {
  /**
   * Looks at once, instead of at the next poll, and lets the relays of other replicas do so where
   * they hold shards; to be called after a commit.
   */
  wake(): void;
  /** Rows that wait to be sent. */
  depth(): Promise<number>;
  /** Finishes what is being published, and leaves the rest to others or to the next start. */
  stop(): Promise<void>;
}

/**
 * Carries committed outbox rows to the bus. Every replica runs one; each shard has one owner at a
 * time, and the shards are divided evenly. It keeps one connection of the database's pool.
 */
export const startRelay = (options: {
  db: Database;
  bus: Pick<Bus, 'publish'>;
  telemetry: Telemetry;
  /** How often an idle relay looks for rows (1 s). */
  idlePollMs?: number;
}): Relay => {
  const { db, telemetry, idlePollMs = idlePollMsDefault } = options;
  const others = otherRelays(db);
  const metrics = relayMetrics(telemetry.metrics);
  const unobserve = metrics.observe(db);
  const shares = holdShares({
    connect: async () => {
      const session = await lockSession(db);
      await others.listen(session, worker.wake);
      return session;
    },
    space: lockSpace,
    count: outboxShards,
    finish: (shard) => within(finishWithinMs, 'finishing a shard', work.finish(shard)),
    lost: () => {}, // each batch asks `holds` before it is published
    log: telemetry.log,
  });
  const work = createShardWork({
    ...options,
    metrics,
    owned: (shard) => !worker.signal.aborted && shares.holds(shard),
    done: () => worker.wake(),
  });

  const worker = startWorker({
    tick: async () => {
      const free = shares.held().filter(work.free);
      const shards = free.length > 0 ? await shardsWithUnsent(db, free) : [];
      for (const shard of shards) work.start(shard);
      if (shards.length > 0) return busyPollMs;
      return work.isResting() ? restingPollMs : idlePollMs;
    },
    failed: (error) => {
      telemetry.log.debug({ err: error }, 'the outbox could not be read');
      return failedPollMs;
    },
  });

  return {
    wake: () => {
      worker.wake();
      if (shares.held().length < outboxShards) others.notify();
    },
    depth: async () => (await backlog(db)).unsent,
    stop: async () => {
      unobserve();
      others.stop();
      await worker.stop();
      await shares.stop();
    },
  };
};
