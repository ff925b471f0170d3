import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { CustodyService } from '@pto/proto/custody/v1/custody';
import { implement } from '@pto/rpc';
import { toEntry } from '../chain/entry-row.ts';
import { emptyHead } from '../chain/link.ts';
import { awaitChain, readEntries, readHead } from '../chain/read-chain.ts';
import { listKeys } from '../log/keys.ts';
import { proveLeaf } from '../log/prove.ts';
import { toKey } from './log-service.ts';

/** The custody history of one order and its proof, for partners through the gateway. */
export const custodyService = ({ db, origin }: { db: Database; origin: string }) => {
  /** Whether there is a chain by now (decision 32). @throws Failure NOT_FOUND for another's */
  const isThere = async (
    asked: { orderId: string; organizationId: string; atLeastSequence: number },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const chain = await awaitChain(db, asked.orderId, asked.atLeastSequence, signal);
    if (chain && chain.organizationId !== asked.organizationId)
      throw new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
    return chain !== null;
  };
  return implement(CustodyService, {
    listEvents: async (asked, { signal }) =>
      (await isThere(asked, signal))
        ? { entries: (await readEntries(db, asked.orderId)).map(toEntry) }
        : { entries: [] },
    getProof: async (asked, { signal }) => {
      const { orderId, whole } = asked;
      const genesis = emptyHead(orderId);
      const there = await isThere(asked, signal);
      const entries = there && whole ? await readEntries(db, orderId) : [];
      const last = entries.at(-1);
      const head = last
        ? { sequence: last.sequence, hash: last.event_hash }
        : (there && (await readHead(db, orderId))) || genesis;
      const leaf = await proveLeaf(db, { orderId, sequence: head.sequence });
      return {
        entries: entries.map(toEntry),
        count: head.sequence,
        headHash: head.hash,
        genesisHash: genesis.hash,
        ...(leaf && {
          log: {
            origin,
            leafIndex: BigInt(leaf.leafIndex),
            treeSize: BigInt(leaf.treeSize),
            inclusion: whole ? [...leaf.inclusion] : [],
            checkpoint: leaf.checkpoint,
            signedAt: leaf.signedAt,
          },
        }),
        keys: whole ? (await listKeys(db)).map(toKey) : [],
      };
    },
  });
};
