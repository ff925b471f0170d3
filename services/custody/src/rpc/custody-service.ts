import { cachedFor } from '@pto/concurrency';
import type { Database, FreshReads, Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { CustodyService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import { readEntries, toEntry, type WaitForEntry } from '../chain/read-chain.ts';
import { lastCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import type { FeedWaiters } from '../feed/feed-waiters.ts';
import { readPage } from '../feed/read-page.ts';
import { proveChain } from '../proofs/prove-chain.ts';
import { withCosignatures } from '../witness/published.ts';
import { wholeProof } from './whole-proof.ts';

/**
 * Serves the custody history of an order and its proof, and the entries of an organization, for
 * partners through the gateway.
 * @param options.witnesses the vkeys of the configured witnesses.
 */
export const custodyService = (options: {
  readonly db: Database;
  readonly reads: FreshReads;
  readonly waitForEntry: WaitForEntry;
  readonly feedWaiters: Pick<FeedWaiters, 'wait'>;
  readonly origin: string;
  readonly witnesses: readonly string[];
}) => {
  const { db, reads, origin, witnesses } = options;
  const newestNote = createNewestNote(db);
  /**
   * Waits at most 2 s until the chain contains the entry `atLeastSequence` (decision 32). Returns
   * whether the order has a chain.
   * @throws Failure NOT_FOUND if the chain belongs to another organization.
   */
  const isThere = async (
    request: { orderId: string; organizationId: string; atLeastSequence: number },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { orderId, atLeastSequence } = request;
    const chain = await options.waitForEntry(orderId, atLeastSequence, signal);
    if (chain && chain.organizationId !== request.organizationId)
      throw new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
    return chain !== null;
  };
  return implement(CustodyService, {
    listEvents: async (request, { signal }) => {
      const found = await isThere(request, signal);
      if (!found) return { entries: [] };
      const entries = await reads.fresh((sql) => readEntries(sql, request.orderId));
      return { entries: entries.map(toEntry) };
    },
    listOrganizationEvents: async ({ organizationId, after, limit }) => {
      const page = await readPage(db, { organizationId, after: Number(after), limit });
      const checkpoint = await newestNote();
      return {
        events: [...page.events],
        hasMore: page.hasMore,
        asOf: page.asOf,
        logSize: BigInt(page.logSize),
        newest: BigInt(page.newest),
        ...(checkpoint !== undefined && { checkpoint }),
      };
    },
    waitForOrganizationEvents: async (request, { signal }) => {
      const { organizationId, waitMs } = request;
      const [after, logSize] = [Number(request.after), Number(request.logSize)];
      const awaited = { organizationId, after, logSize };
      return { found: await options.feedWaiters.wait(awaited, waitMs, signal) };
    },
    getProof: async (request, { signal }) => {
      const { orderId, whole } = request;
      await isThere(request, signal);
      return reads.fresh((from) =>
        whole
          ? wholeProof(from, orderId, { origin, witnesses })
          : from.snapshot((sql) => proveChain(sql, orderId, { whole, origin, witnesses })),
      );
    },
  });
};

/** Maximum age of a note in ms. A checkpoint is signed at most every second. */
const maxAgeMs = 200;

/**
 * Returns a function that returns the newest signed note with its cosignatures; undefined before the
 * first one. Calls within 200 ms share a read, so that polls do not cost three statements each.
 */
const createNewestNote = (sql: Sql): (() => Promise<string | undefined>) =>
  cachedFor(maxAgeMs, async () => {
    const checkpoint = await lastCheckpoint(sql);
    return checkpoint ? (await withCosignatures(sql, checkpoint)).note : undefined;
  });
