import { type Bus, holdShares } from '@pto/bus';
import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { createWakeSignal } from '@pto/worker';
import { lockSession } from './lock-session.ts';
import { otherRelays } from './other-relays.ts';
import { outboxShards } from './outbox-table.ts';
import { relayMetrics } from './relay-metrics.ts';
import { createShardWork } from './shard-work.ts';
import { backlog, shardsWithUnsent } from './unsent.ts';

const busyPollMs = 5;
/** While rows wait for the bus to accept them again. */
const restingPollMs = 50;
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
  const wakeSignal = createWakeSignal();
  const metrics = relayMetrics(telemetry.metrics);
  const unobserve = metrics.observe(db);
  let stopping = false;
  const shares = holdShares({
    connect: async () => {
      const session = await lockSession(db);
      await others.listen(session, wakeSignal.wake);
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
    owned: (shard) => !stopping && shares.holds(shard),
    done: wakeSignal.wake,
  });

  const turn = async (): Promise<boolean> => {
    const free = shares.held().filter(work.free);
    if (free.length === 0) return false;
    const shards = await shardsWithUnsent(db, free);
    for (const shard of shards) work.start(shard);
    return shards.length > 0;
  };

  const run = async () => {
    let pauseMs = busyPollMs;
    while (!stopping) {
      try {
        const isBusy = await turn();
        pauseMs = isBusy ? busyPollMs : work.isResting() ? restingPollMs : idlePollMs;
      } catch (error) {
        telemetry.log.debug({ err: error }, 'the outbox could not be read');
        pauseMs = 500;
      }
      await wakeSignal.wait(pauseMs);
    }
  };
  const running = run();

  return {
    wake: () => {
      wakeSignal.wake();
      if (shares.held().length < outboxShards) others.notify();
    },
    depth: async () => (await backlog(db)).unsent,
    stop: async () => {
      stopping = true;
      unobserve();
      others.stop();
      wakeSignal.wake();
      await running;
      await shares.stop();
    },
  };
};
