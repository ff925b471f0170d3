import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import { type Declaration, url } from '@pto/config';
import { Failure } from '@pto/errors';
import { within } from '@pto/lifecycle';
import { Counter, type Telemetry, unreadMetrics } from '@pto/telemetry';
import type { PoolOptions } from '../connections/pool.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { type Position, positionOf, replayed } from './position.ts';

/** URL of a streaming replica of the service's database, with the service's role; empty: none. */
export const replicaSetting: Declaration<string> = url(
  'DATABASE_REPLICA_URL',
  ['postgres', 'postgresql'],
  { fallback: '' },
);

/** What reads need of a database. */
export type ReadDatabase = Pick<Database, 'query' | 'snapshot'>;

/** Reads that show all that was committed before they began, from whichever server. */
export interface FreshReads {
  /**
   * Runs reads on the replica, if it has replayed all that the primary had committed when this call
   * began, and otherwise on the primary. `work` may run on the replica first and on the primary
   * then.
   */
  fresh<T>(work: (db: ReadDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Returns the reads of a database without a replica. */
export const primaryReads = (primary: ReadDatabase): FreshReads => ({
  fresh: (work) => work(primary),
  close: async () => {},
});

/** Time that a replica which is behind gets before the primary reads, in ms. */
const behindMs = 10;
/** Time in which the replica has to state what it has replayed, in ms. One that is lost sends nothing. */
const statedMs = 500;
/** Time after an error of the replica in which it is not tried again, in ms; then one read tries it. */
const restMs = 1000;
/** Failures of a server, not of what is read; also a conflict with the replay. */
const isOfServer: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED']);
/** A read that the replica does not answer in this time is repeated by the primary, in ms. */
const statementTimeoutMs = 2000;

/**
 * Opens the replica's pool, if there is a replica. A replica that is unavailable at the start is
 * tried again later.
 * @param options those of the primary's pool.
 */
export const openFreshReads = (
  primary: Database,
  options: Omit<PoolOptions, 'url'> & {
    readonly replicaUrl: string;
    readonly telemetry: Telemetry;
  },
): FreshReads => {
  const { replicaUrl, telemetry } = options;
  if (replicaUrl === '') return primaryReads(primary);
  const reads = new Counter({
    name: 'database_fresh_reads_total',
    help: 'Reads that a replica may serve: by the replica, or by the primary because it was behind or unavailable',
    labelNames: ['server'],
    registers: [telemetry.metrics],
  });
  // the names of a pool's metrics are those of the primary's
  const quiet = { ...telemetry, metrics: unreadMetrics() };
  const open = () =>
    openDatabase({
      ...options,
      url: replicaUrl,
      statementTimeoutMs: Math.min(statementTimeoutMs, options.statementTimeoutMs),
      telemetry: quiet,
    });
  let replica: Promise<Database> | undefined;
  /** A time of `performance.now()`; 0 while the replica is available. */
  let restsUntil = 0;
  const positions = createBatches<null, Position>(
    async () => {
      const position = await positionOf(primary);
      return () => position;
    },
    { inFlightMax: 1, batchMax: 1000 },
  );

  /** @returns the replica, if it has replayed all before the position. */
  const caughtUp = async (position: Position): Promise<Database | null> => {
    replica ??= open();
    const opened = await replica.catch((error) => {
      replica = undefined;
      throw error;
    });
    if (await replayed(opened, position)) return opened;
    await sleep(behindMs);
    return (await replayed(opened, position)) ? opened : null;
  };

  const unavailable = (error: unknown): void => {
    if (restsUntil === 0)
      telemetry.log.warn(
        { err: error },
        'the replica is unavailable: the primary serves its reads',
      );
    restsUntil = performance.now() + restMs;
  };

  return {
    fresh: async (work) => {
      const onPrimary = (why: 'behind' | 'unavailable') => {
        reads.inc({ server: why });
        return work(primary);
      };
      if (performance.now() < restsUntil) return onPrimary('unavailable');
      if (restsUntil > 0) restsUntil = performance.now() + restMs;
      const position = await positions(null);
      const found = await within(statedMs, 'the response of the replica', caughtUp(position)).catch(
        (error) => {
          unavailable(error);
          return undefined;
        },
      );
      if (found !== undefined) restsUntil = 0;
      if (!found) return onPrimary(found === null ? 'behind' : 'unavailable');
      try {
        const result = await work(found);
        reads.inc({ server: 'replica' });
        return result;
      } catch (error) {
        if (!(error instanceof Failure && isOfServer.has(error.kind))) throw error;
        unavailable(error);
        return onPrimary('unavailable');
      }
    },
    close: async () => {
      await (await replica?.catch(() => undefined))?.close();
    },
  };
};
