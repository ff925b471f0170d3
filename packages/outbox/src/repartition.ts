/**
 * Uses partitions that were added to a topic while relays and consumers run: no relay sends until
 * every consumer has handled what was sent, then the keys are divided among the new number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@pto/bus';
import { type Database, execute } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { leaseSql } from './lease-sql.ts';
import { topicTables } from './topic-partitions.ts';

const lookEveryMsDefault = 10_000;
/**
 * How long a number must differ before it is used, in ms: consumers and producers know all
 * partitions of a topic 10 s after they were added.
 */
const settledAfterMsDefault = 15_000;
/** Maximum time in which the other relays release their shards, in ms. */
const releasedWithinMs = 8000;
/** Maximum number of events that a consumer may be behind before the relays pause. */
const behindMax = 1000;
/** Maximum time in which the consumers handle what was sent, in ms. */
const handledWithinMs = 5000;
const askEveryMs = 50;
/** Time from an attempt to the next one, in ms. Relays of the release before do not stop. */
const retryAfterMs = 60_000;

/**
 * Starts the worker. While relays pause, which takes a second or two, rows wait in the outbox. If
 * a consumer is far behind, or the relays or the consumers do not finish in time, the number stays, and
 * the worker tries again after a minute.
 * @param options.isInCharge whether this process looks; one of a database's processes suffices.
 * @param options.readersOf returns the consumer groups of a topic.
 */
export const startRepartition = (options: {
  readonly db: Database;
  readonly bus: Pick<Bus, 'ends' | 'lag'>;
  readonly readersOf: (topic: string) => readonly string[];
  readonly isInCharge: () => boolean;
  readonly log: Logger;
  readonly settledAfterMs?: number;
  readonly lookEveryMs?: number;
}) => {
  const { db, bus, readersOf, log } = options;
  const { settledAfterMs = settledAfterMsDefault, lookEveryMs = lookEveryMsDefault } = options;
  /**
   * Times of `performance.now()` since when topics have another number than the stored one; in the
   * future after an attempt.
   */
  const since = new Map<string, number>();

  /** @throws Error if the consumers do not handle all in time. */
  const waitUntilHandled = async (topic: string, signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + handledWithinMs;
    for (const group of readersOf(topic))
      while ((await bus.lag(group, topic)) > 0) {
        signal.throwIfAborted();
        if (performance.now() > deadline) throw new Error(`${group} has not handled all in time`);
        await sleep(askEveryMs);
      }
  };

  const use = async (topic: string, partitions: number, signal: AbortSignal): Promise<void> => {
    // a consumer that does not run, or is far behind, would only make the relays pause for nothing
    for (const group of readersOf(topic))
      if ((await bus.lag(group, topic)) > behindMax)
        throw new Error(`${group} is too far behind to use the new partitions`);
    const begun = performance.now();
    const isUsed = await whilePaused(db, signal, async (session) => {
      await waitUntilHandled(topic, signal);
      await session.query(leaseSql.usePartitions, [topic, partitions]);
    });
    if (!isUsed) return;
    since.delete(topic);
    const pausedMs = Math.round(performance.now() - begun);
    log.info({ topic, partitions, pausedMs }, 'the keys of the topic use its new partitions');
  };

  return startWorker({
    firstPauseMs: lookEveryMs,
    unref: true,
    tick: async (signal) => {
      if (!options.isInCharge()) since.clear();
      else
        for (const { topic, partitions } of await execute(
          db,
          topicTables.selectFrom('topic_partitions').selectAll(),
        )) {
          const { size } = await bus.ends(topic);
          if (size === partitions) since.delete(topic);
          else if (!since.has(topic)) since.set(topic, performance.now());
          const settled = performance.now() - settledAfterMs;
          if (signal.aborted || (since.get(topic) ?? settled) >= settled) continue;
          since.set(topic, performance.now() + retryAfterMs);
          await use(topic, size, signal);
        }
      return lookEveryMs;
    },
    failed: (err) => {
      log.warn({ err }, 'the number of partitions could not be compared or changed yet');
      return lookEveryMs;
    },
  });
};

type Session = Awaited<ReturnType<Database['session']>>;

/**
 * Takes all shards. A statement that waited for a lock would outlive this process.
 * @throws Error if a relay does not release its shards in time.
 */
const takeAll = async (session: Session, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + releasedWithinMs;
  while (!(await session.query<{ got: boolean }>(leaseSql.takeAll)).rows[0]!.got) {
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new Error('a relay has not released its shards in time');
    await sleep(askEveryMs);
  }
};

/**
 * Runs work while no relay of the database holds a shard. The session's locks end with it, also if
 * this process is killed. An aborted signal ends the pause at once. What runs in the session is
 * text because a built statement runs on any connection.
 * @returns false, without running the work, if another process has paused the relays.
 */
const whilePaused = async (
  db: Database,
  signal: AbortSignal,
  work: (session: Session) => Promise<void>,
): Promise<boolean> => {
  const session = await db.session();
  session.on('error', () => {}); // the statement that needs the session fails
  try {
    const { rows } = await session.query<{ got: boolean }>(leaseSql.pause);
    if (!rows[0]!.got) return false;
    await takeAll(session, signal);
    await work(session);
    return true;
  } finally {
    session.release(true);
  }
};
