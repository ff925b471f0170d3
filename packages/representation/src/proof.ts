import { toBase64 } from '@pto/custody-verifier';
import type { Completeness, GetProofResponse } from '@pto/proto/custody/v1/custody';
import { type DisclosedValues, entryJson } from './entry.ts';

/** Returns the proof file `custody-proof/1`, which `custody-verify` reads. */
export const proofJson = (
  orderId: string,
  proof: GetProofResponse,
  disclosed: DisclosedValues,
) => ({
  v: 'custody-proof/1',
  order_id: orderId,
  genesis: {
    rule: 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))',
    hash: proof.genesisHash,
  },
  entries: proof.entries.map((entry) => entryJson(entry, disclosed)),
  count: proof.count,
  head_hash: proof.headHash,
  log: proof.log
    ? {
        origin: proof.log.origin,
        leaf_index: Number(proof.log.leafIndex),
        tree_size: Number(proof.log.treeSize),
        inclusion: proof.log.inclusion.map(toBase64),
        checkpoint: proof.log.checkpoint,
      }
    : null,
  completeness: proof.completeness ? completenessJson(proof, proof.completeness) : null,
  keys: proof.keys.map(({ vkey, validFrom, validUntil }) => ({
    vkey,
    valid_from: validFrom,
    valid_until: validUntil ?? null,
  })),
});

/**
 * Returns the proof that the signed order index contains this order's count and head (decision 52).
 */
const completenessJson = (
  { count, headHash }: GetProofResponse,
  { path, otherLeaf, checkpoint }: Completeness,
) => ({
  count,
  head_hash: headHash,
  path: path.map(toBase64),
  other_leaf: otherLeaf
    ? { order_key: toBase64(otherLeaf.orderKey), value_hash: toBase64(otherLeaf.valueHash) }
    : null,
  checkpoint,
});
