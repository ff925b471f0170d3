import type { Transaction } from '@pto/database';
import { readLines } from '../notes/note-signer.ts';
import { emptyIndex, extendIndex, extendMax } from './extend-index.ts';
import { newestIndex } from './tile-store.ts';
import type { TopTiles } from './top-tiles.ts';

/** The size and index root of the next checkpoint. */
export interface IndexedSize {
  /** Number of leaves that the checkpoint covers. */
  readonly size: number;
  /**
   * Null while the index of a log is built that is older than the index. Until the index is
   * complete, the log's checkpoints carry no root.
   */
  readonly indexRoot: Uint8Array | null;
}

/**
 * Extends the stored index to the leaves of the next checkpoint, in the transaction that signs the
 * checkpoint (decision 52). A checkpoint with a root covers at most {@link extendMax} more leaves
 * than the stored index. After one checkpoint has carried a root, every later checkpoint carries
 * one.
 * @param last the newest checkpoint, or null.
 * @param size number of leaves in the log.
 * @returns null while no checkpoint can be signed, because a lost index is being built again.
 * @throws Error if the stored index does not have the root that the last checkpoint carries.
 */
export const indexForCheckpoint = async (
  tx: Transaction,
  last: { readonly size: number; readonly note: string } | null,
  size: number,
  top?: TopTiles,
): Promise<IndexedSize | null> => {
  const index = (await newestIndex(tx)) ?? emptyIndex;
  const signedRoot = last && readLines(last.note).indexRoot;
  const carriesRoot = last === null || signedRoot !== null;
  if (index.size < (last?.size ?? 0)) return carriesRoot ? null : { size, indexRoot: null };
  if (signedRoot && !Buffer.from(signedRoot).equals(index.root))
    throw new Error(`the stored order index over ${index.size} leaves is not the signed one`);
  const target = Math.min(size, index.size + extendMax);
  if (target < size && !carriesRoot) return { size, indexRoot: null };
  const { root } = await extendIndex(tx, index, target, top);
  return { size: target, indexRoot: root };
};
