import {
  type ArrayOf,
  anyOf,
  fragment,
  type Placeholders,
  type Sql,
  statement,
  uuidArray,
} from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { tables } from '../schema/ledger-database.ts';

/** Maximum time of a wait, in ms (decision 65). */
const waitMaxMs = 25_000;
/** Interval in ms at which the log's size is read while a call waits. */
const pollMs = 100;
/** Pause while no call waits. A new wait ends it. */
const idleMs = 60_000;

/** What a call waits for: an entry of the organization with a number greater than `after`. */
export interface Awaited {
  readonly organizationId: string;
  readonly after: number;
  /** Number of leaves of the log in the snapshot that had no such entry. */
  readonly logSize: number;
}

/** The waits for new entries of organizations, in this process. */
export interface FeedWaiters {
  /**
   * Resolves with true as soon as the log has the awaited entry. Resolves with false after `ms`, if
   * `signal` aborts, at `stop`, or at once if too many calls wait.
   */
  wait(awaited: Awaited, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Looks for entries at once. Call it when this process has placed leaves in the log. */
  wake(): void;
  /** Ends all waits. A later wait ends at once. */
  stop(): Promise<void>;
}

/** A waiting call. `logSize` is the size of the log at which it was last looked for its entry. */
interface Waiter extends Omit<Awaited, 'logSize'> {
  logSize: number;
  readonly end: (found: boolean) => void;
}

const readSize = statement(() =>
  tables.selectFrom('log_state').select('size').where('one', '=', fragment.lit(true)),
);

const readHeads = statement((given: Placeholders<{ organizationIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('feed_heads')
    .select(['organization_id', 'number'])
    .where('organization_id', '=', anyOf(given.organizationIds, 'uuid')),
);

/**
 * Starts the waits for entries. A waiting call holds no connection and makes no statement: while
 * calls wait, the process reads the log's size every 100 ms, because another replica may have placed
 * leaves. If the log has grown, one statement reads the heads of the organizations that wait.
 * @param waitersMax maximum number of waiting calls; a further call does not wait.
 */
export const startFeedWaiters = (
  sql: Sql,
  { log }: Pick<Telemetry, 'log'>,
  { waitersMax = 10_000 } = {},
): FeedWaiters => {
  const waiting = new Set<Waiter>();

  const look = async (): Promise<void> => {
    const [state] = await readSize(sql);
    const size = Number(state!.size);
    const behind = [...waiting].filter(({ logSize }) => logSize < size);
    if (behind.length === 0) return;
    const organizationIds = [...new Set(behind.map(({ organizationId }) => organizationId))];
    const rows = await readHeads(sql, { organizationIds: uuidArray(organizationIds) });
    const heads = new Map(rows.map((row) => [row.organization_id, Number(row.number)]));
    for (const waiter of behind) {
      waiter.logSize = size; // the heads were read later than the size
      if ((heads.get(waiter.organizationId) ?? 0) > waiter.after) waiter.end(true);
    }
  };

  const watcher = startWorker({
    firstPauseMs: idleMs,
    unref: true,
    tick: async () => {
      if (waiting.size === 0) return idleMs;
      await look();
      return pollMs;
    },
    // the calls wait on: their next read reports the outage
    failed: (err) => {
      log.warn({ err }, 'cannot look for new entries, will be retried');
      return undefined;
    },
  });

  return {
    wait: (awaited, ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || watcher.signal.aborted || waiting.size >= waitersMax) {
          resolve(false);
          return;
        }
        const end = (found: boolean) => {
          waiting.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(found);
        };
        const giveUp = () => end(false);
        const waiter: Waiter = { ...awaited, end };
        const timer = setTimeout(giveUp, Math.min(ms, waitMaxMs));
        signal.addEventListener('abort', giveUp);
        waiting.add(waiter);
        if (waiting.size === 1) watcher.wake();
      }),
    wake: watcher.wake,
    stop: async () => {
      const stopped = watcher.stop();
      for (const { end } of waiting) end(false);
      await stopped;
    },
  };
};
