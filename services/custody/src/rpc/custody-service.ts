import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { CustodyService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import type { ChainWaiters } from '../chain/chain-waiters.ts';
import { toEntry } from '../chain/entry-row.ts';
import { emptyHead } from '../chain/link.ts';
import { readEntries } from '../chain/read-chain.ts';
import { listKeys } from '../log/keys.ts';
import type { CompletenessProof } from '../order-index/prove-completeness.ts';
import { type LeafProof, proveChain } from '../proofs/prove.ts';
import { toKey } from './log-service.ts';

/** Serves the custody history of an order and its proof, for partners through the gateway. */
export const custodyService = ({
  db,
  waiters,
  origin,
  witnesses,
}: {
  db: Database;
  waiters: ChainWaiters;
  origin: string;
  /** The vkeys of the configured witnesses. */
  witnesses: readonly string[];
}) => {
  /**
   * Waits at most 2 s until the chain contains the entry `atLeastSequence` (decision 32). Returns
   * whether the order has a chain.
   * @throws Failure NOT_FOUND if the chain belongs to another organization.
   */
  const isThere = async (
    request: { orderId: string; organizationId: string; atLeastSequence: number },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const chain = await waiters.wait(request.orderId, request.atLeastSequence, signal);
    if (chain && chain.organizationId !== request.organizationId)
      throw new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
    return chain !== null;
  };
  return implement(CustodyService, {
    listEvents: async (request, { signal }) =>
      (await isThere(request, signal))
        ? { entries: (await readEntries(db, request.orderId)).map(toEntry) }
        : { entries: [] },
    getProof: async (request, { signal }) => {
      const { orderId, whole } = request;
      await isThere(request, signal);
      const proof = await db.snapshot((sql) => proveChain(sql, orderId, whole, witnesses));
      const { entries, head, log, completeness } = proof;
      return {
        entries: entries.map(toEntry),
        count: head.sequence,
        headHash: head.hash,
        genesisHash: emptyHead(orderId).hash,
        ...(log && { log: { origin, ...toLogProof(log, whole) } }),
        ...(completeness && { completeness: toCompleteness(completeness) }),
        keys: whole ? (await listKeys(db)).map(toKey) : [],
      };
    },
  });
};

const toLogProof = (log: LeafProof, whole: boolean) => ({
  leafIndex: BigInt(log.leafIndex),
  treeSize: BigInt(log.treeSize),
  inclusion: whole ? [...log.inclusion] : [],
  checkpoint: log.checkpoint,
  signedAt: log.signedAt,
});

const toCompleteness = ({ path, otherLeaf, checkpoint }: CompletenessProof) => ({
  path: [...path],
  ...(otherLeaf && { otherLeaf: { orderKey: otherLeaf.key, valueHash: otherLeaf.value } }),
  checkpoint,
});
