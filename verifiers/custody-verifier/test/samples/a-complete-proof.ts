/** Proof files whose checkpoint carries the order index (decision 52), and orders without entries. */
import {
  checkpointLines,
  orderKey,
  type ProofCompleteness,
  type ProofFile,
  proveInclusion,
  sha256Hex,
  toBase64,
  valueHash,
} from '../../src/index.ts';
import { memoryIndex } from '../completeness/memory-index.ts';
import { entries, orderId, proof } from './a-proof.ts';
import { aLog, logKey, origin, otherLeaf } from './a-signed-log.ts';

export const size = 57;
export const signedTime = '2026-01-15T12:00:00.000Z';
/** The leaf of the order's entry n, counted from 0. */
const leafOf = (n: number): number => 40 + n;

const log = await aLog(
  Array.from({ length: 70 }, (_, n) => {
    const own = entries[n - leafOf(0)];
    return own ? Buffer.from(own.event_hash, 'hex') : otherLeaf(n);
  }),
);

/** 20 orders in the index beside the order of the proof. */
const others = Array.from({ length: 20 }, (_, n) => ({
  key: orderKey(`order ${n}`),
  value: valueHash(n + 1, sha256Hex(`head ${n}`)),
}));
const index = memoryIndex();
const ownLeaf = (count: number) => ({
  key: orderKey(orderId),
  value: valueHash(count, entries[count - 1]!.event_hash),
});
await index.update([...others, ownLeaf(2)]);
/** Versions of the index: with two entries of the order, and with all three. */
export const [olderVersion, newestVersion] = [1, 2];
await index.update([ownLeaf(3)]);

export const checkpointWith = (
  indexRoot: Uint8Array | null = index.roots[newestVersion]!,
  time: string | null = signedTime,
  more = '',
): Promise<string> => log.checkpointAt(size, logKey, checkpointLines({ indexRoot, time }) + more);

export const checkpoint = await checkpointWith();
export const olderRoot = index.roots[olderVersion]!;

/** What the index says of an order. */
export const completenessOf = async (
  order: string,
  said: { readonly count: number; readonly head_hash: string },
  version: number = newestVersion,
): Promise<ProofCompleteness> => {
  const { path, leaf, included } = await index.prove(orderKey(order), version);
  const other = included ? null : leaf;
  return {
    ...said,
    path: path.map(toBase64),
    other_leaf: other && { order_key: toBase64(other.key), value_hash: toBase64(other.value) },
    checkpoint,
  };
};

/** The log part of the order's entry n, counted from 0, under the checkpoint. */
export const logPartOf = async (n: number) => ({
  origin,
  leaf_index: leafOf(n),
  tree_size: size,
  inclusion: (await proveInclusion(leafOf(n), size, log.hashesAt)).map(toBase64),
  checkpoint,
});

export const completeProof: ProofFile = {
  ...proof,
  log: await logPartOf(2),
  completeness: await completenessOf(orderId, { count: 3, head_hash: proof.head_hash }),
};
