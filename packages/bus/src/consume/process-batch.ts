import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import { type Database, databaseUnavailable } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { IncomingMessage } from '../bus.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { Source } from './consumer-tables.ts';
import { blockedKeys, lockKey, park } from './dead-letters/park.ts';
import { claim, Forgotten, type Handlers, requireRemembered, takeEffect } from './inbox.ts';
import type { StoredPositions } from './positions.ts';
import { passes, publicReason } from './reason.ts';
import { type Rejection, separate, storeRejected } from './rejected-messages.ts';

/** Pauses between the three attempts to handle a message, in ms. */
const pausesMs = [100, 400];

export interface ProcessOptions extends Handlers {
  readonly telemetry: Telemetry;
  /**
   * Returns why a message is not authentic; undefined for an authentic message. Called before any
   * effect and again before a replay.
   */
  readonly rejection: Rejection;
  /**
   * Called after each transaction in which messages had their effect, with these messages, to start
   * work that depends on the effects. Not called after a replay.
   */
  readonly committed?: (messages: readonly IncomingMessage[]) => void;
}

/**
 * Returns a function that handles messages of one partition so that each has its effect exactly
 * once. First stores messages that are not authentic as rejected, without effect (decision 55).
 * Then handles all other messages in one transaction, which may also handle messages of other
 * partitions. If that transaction fails, handles each message in its own transaction. Parks a
 * message that fails three times or is too old for the inbox, and later messages with its key behind
 * it. If the error may pass, for example because a store is unavailable, the function rejects and
 * does not park the message.
 */
export const createBatchProcessor = (
  db: Database,
  options: ProcessOptions,
  deps: {
    source: Source;
    metrics: ConsumerMetrics;
    positions: StoredPositions;
    /** Called after messages were parked, or stored as rejected. */
    parked(): void;
  },
) => {
  const { source, metrics, positions, parked: wasParked } = deps;
  const log = options.telemetry.log.child({ group: source.group, topic: source.topic });

  /** Handles messages in one transaction, or parks them behind an earlier message of their key. */
  const together = async (
    messages: readonly IncomingMessage[],
    isAlone: boolean,
  ): Promise<void> => {
    const end = metrics.startTimer();
    let begun = false;
    const count = await db
      .transaction(async (tx) => {
        // the statements that tell whether the messages may have an effect are sent in one message
        const [, , blocked] = await Promise.all([
          positions.requireKnown(tx, messages),
          options.guard?.(tx.withNext),
          blockedKeys(
            tx,
            source,
            messages.map(({ key }) => key),
          ),
        ]);
        const free = messages.filter(({ key }) => !blocked.has(key));
        const behind = messages.filter(({ key }) => blocked.has(key));
        const fresh = await claim(tx, source.group, free);
        const parked = await park(tx, source, behind, ({ key }) => `behind ${blocked.get(key)}`);
        requireRemembered(fresh);
        begun = true;
        await takeEffect(source, options, fresh, tx, isAlone);
        await positions.saveWith(tx, messages);
        return { handled: fresh, parked: parked.length };
      })
      .catch((error) => {
        throw begun ? error : ofDatabase(error);
      });
    end();
    positions.saved(messages);
    if (count.handled.length > 0) options.committed?.(count.handled);
    metrics.count('handled', count.handled.length);
    metrics.count('parked', count.parked);
    metrics.count('duplicate', messages.length - count.handled.length - count.parked);
    if (count.parked > 0) {
      log.warn(
        { count: count.parked },
        'messages parked: an earlier message with their key is parked',
      );
      wasParked();
    }
  };

  const setAside = async (message: IncomingMessage, error: unknown): Promise<void> => {
    const parked = await db.transaction(async (tx) => {
      await lockKey(tx, source, message.key);
      return park(tx, source, [message], () => publicReason(error));
    });
    metrics.count('parked', parked.length);
    const { id, partition, offset } = message;
    log.error({ err: error, deadLetter: parked[0], id, partition, offset }, 'message parked');
    wasParked();
  };

  /** @param tried the first attempt, if it was started already. */
  const alone = async (
    message: IncomingMessage,
    signal: AbortSignal,
    tried?: Promise<void>,
  ): Promise<void> => {
    let attempt = tried;
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      try {
        return await (attempt ?? together([message], true));
      } catch (error) {
        attempt = undefined;
        metrics.count('failed', 1);
        if (passes(error)) throw error;
        const pauseMs = error instanceof Forgotten ? undefined : pausesMs[failures++];
        if (pauseMs === undefined) return setAside(message, error);
        log.debug({ err: error, id: message.id, failures }, 'message failed, will be retried');
        await sleep(pauseMs, undefined, { signal });
      }
    }
  };

  const tryTogether = sharedAttempts((messages) => together(messages, false));

  const reject = async (rejected: ReturnType<typeof separate>['rejected']): Promise<void> => {
    const { stored, dropped } = await db
      .transaction((tx) => storeRejected(tx, source, rejected))
      .catch((error) => {
        throw ofDatabase(error);
      });
    metrics.count('rejected', stored + dropped);
    const [{ message, reason }] = rejected as [(typeof rejected)[number]];
    const { partition, offset } = message;
    log.error({ stored, dropped, reason, partition, offset }, 'messages rejected: not authentic');
    if (stored > 0) wasParked();
  };

  return async (received: readonly IncomingMessage[], signal: AbortSignal): Promise<void> => {
    const { authentic: batch, rejected } = separate(received, options.rejection);
    if (rejected.length > 0) await reject(rejected);
    if (batch.length === 0) return;
    const { attempt, isShared } = await tryTogether(batch);
    if (batch.length === 1 && !isShared) return alone(batch[0]!, signal, attempt);
    try {
      return await attempt;
    } catch (error) {
      metrics.count('failed', batch.length);
      if (passes(error)) throw error;
      log.debug({ err: error, count: batch.length }, 'batch failed, each message is handled alone');
    }
    for (const message of batch) await alone(message, signal);
  };
};

/**
 * Returns the Failure for an error before any handler has run. A message can have caused only a
 * Failure then: any other error is the database's.
 */
const ofDatabase = (error: unknown): Failure =>
  error instanceof Failure ? error : databaseUnavailable(error);

type Batch = readonly IncomingMessage[];

/** The first attempt to handle a batch. */
interface Attempt {
  /** A settled promise: fulfilled after the commit, or rejected if the attempt failed. */
  readonly attempt: Promise<void>;
  /** Whether the attempt also handled batches of other partitions. */
  readonly isShared: boolean;
}

/** Maximum number of attempts at the same time. */
const inFlightMax = 2;
/** Maximum number of messages in one attempt. A larger batch is handled alone. */
const messagesMax = 200;

/**
 * Returns a function that handles a batch in one attempt with the batches of other partitions that
 * wait when the attempt starts. Reason: a transaction costs more than the effect of a message, and
 * a topic has many partitions with few messages each.
 */
export const sharedAttempts = (
  handle: (messages: Batch) => Promise<void>,
): ((batch: Batch) => Promise<Attempt>) =>
  createBatches(
    async (batches) => {
      const attempt = handle(batches.flat());
      await attempt.catch(() => {});
      return () => ({ attempt, isShared: batches.length > 1 });
    },
    {
      inFlightMax,
      batchMax: messagesMax,
      // no limit is needed: the caller has at most one batch of each partition
      waitingMax: Number.POSITIVE_INFINITY,
      weight: { of: (batch) => batch.length, max: messagesMax },
    },
  );
