import { type Database, execute } from '@pto/database';
import type { Bus, SubscribeOptions, Subscription } from '../bus.ts';
import { consumerMetrics } from './consumer-metrics.ts';
import { type Source, waitingOf } from './consumer-tables.ts';
import { deadLetterTopic, startCopies } from './dead-letters/dead-letter-copies.ts';
import {
  type DeadLetter,
  type Discard,
  discard,
  listDeadLetters,
} from './dead-letters/dead-letters.ts';
import { type Replay, replay } from './dead-letters/replay.ts';
import { positionsIn } from './positions.ts';
import { createBatchProcessor, type ProcessOptions } from './process-batch.ts';

export type ConsumeOptions = Source &
  ProcessOptions &
  Pick<SubscribeOptions, 'batchMax' | 'linger'>;

export interface Consumer extends Subscription, Source {
  /** Handles a parked message again (dead-letters/replay.ts). */
  replay(id: string): Promise<Replay>;
  /** Ends the wait of a parked message without its effect (dead-letters/dead-letters.ts). */
  discard(id: string, by: Discard): Promise<string | undefined>;
  /** Lists parked and rejected messages that wait, oldest first (dead-letters/dead-letters.ts). */
  list(page: { afterId?: string | undefined; limit: number }): Promise<DeadLetter[]>;
}

/**
 * Consumes a topic so that each event has its effect exactly once: one transaction writes the inbox
 * row and the effect, and the offset is committed after that transaction. The database needs
 * `consumerTables`; the topic must exist.
 */
export const consume = async (
  bus: Bus,
  db: Database,
  options: ConsumeOptions,
): Promise<Consumer> => {
  const { group, topic, telemetry } = options;
  const source: Source = { group, topic };
  await bus.ensureTopics([{ name: deadLetterTopic(topic), partitions: 1 }]);
  const metrics = consumerMetrics(telemetry.metrics, source, {
    lag: () => bus.lag(group, topic),
    deadLetters: () => waiting(db, source, { rejected: false }),
    rejected: () => waiting(db, source, { rejected: true }),
  });
  const positions = positionsIn(db, source);
  const copies = startCopies(bus, db, source, telemetry);
  const processBatch = createBatchProcessor(db, options, {
    source,
    metrics,
    positions,
    parked: copies.wake,
  });
  const subscription = await bus
    .subscribe({
      group,
      topic,
      handle: processBatch,
      lost: metrics.lost,
      positions,
      ...(options.batchMax !== undefined && { batchMax: options.batchMax }),
      ...(options.linger && { linger: true }),
    })
    .catch(async (error) => {
      await copies.stop();
      throw error;
    });
  return {
    group,
    topic,
    replay: (id) => replay(db, source, options, telemetry, id),
    discard: (id, by) => discard(db, source, id, by),
    list: (page) => listDeadLetters(db, source, page),
    stop: async () => {
      await subscription.stop();
      await copies.stop();
    },
  };
};

const waiting = async (
  db: Database,
  source: Source,
  { rejected }: { rejected: boolean },
): Promise<number> => {
  const [row] = await execute(
    db,
    waitingOf(source)
      // The condition must be the bare column: PostgreSQL uses no partial index for `rejected =
      // $1`.
      .where(({ ref, not }) => (rejected ? ref('rejected') : not(ref('rejected'))))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')),
  );
  return row!.count;
};
