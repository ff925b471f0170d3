/** Inputs of a certificate whose verdicts come from the verifier. */
import {
  type ChainEntry,
  checkpointLines,
  genesisHash,
  genesisRule,
  orderKey,
  type ProofFile,
  proveInclusion,
  toBase64,
  valueHash,
  verifyProof,
} from '@pto/custody-verifier';
import { vkeyOfSigner } from '@pto/custody-verifier/sign-note';
import { memoryIndex } from '../../../../verifiers/custody-verifier/test/completeness/memory-index.ts';
import {
  aLog,
  logKey,
  origin,
  otherLeaf,
} from '../../../../verifiers/custody-verifier/test/samples/a-signed-log.ts';
import type { CertificateInput } from '../../src/index.ts';
import { chained, events } from './a-history.ts';
import { order, orderId } from './an-order.ts';

export { origin };
export const vkey = vkeyOfSigner(logKey);
export const treeSize = 57;
export const verifyUrl = 'https://api.example/verify';

/** Returns the proof file of entries in a signed log, with or without a completeness proof. */
export const proofOf = async (
  entries: readonly ChainEntry[],
  isComplete = true,
): Promise<ProofFile> => {
  const head = entries.at(-1)!.event_hash;
  const leafIndex = 41;
  const log = await aLog(
    Array.from({ length: treeSize }, (_, n) =>
      n === leafIndex ? Buffer.from(head, 'hex') : otherLeaf(n),
    ),
  );
  const index = memoryIndex();
  const key = orderKey(orderId);
  await index.update([{ key, value: valueHash(entries.length, head) }]);
  const lines = checkpointLines({ indexRoot: index.roots[1]!, time: '2027-01-08T10:00:01.000Z' });
  const checkpoint = await log.checkpointAt(treeSize, logKey, isComplete ? lines : '');
  const { path } = await index.prove(key, 1);
  return {
    v: 'custody-proof/1',
    order_id: orderId,
    genesis: { rule: genesisRule, hash: genesisHash(orderId) },
    entries,
    count: entries.length,
    head_hash: head,
    log: {
      origin,
      leaf_index: leafIndex,
      tree_size: treeSize,
      inclusion: (await proveInclusion(leafIndex, treeSize, log.hashesAt)).map(toBase64),
      checkpoint,
    },
    completeness: isComplete
      ? {
          count: entries.length,
          head_hash: head,
          path: path.map(toBase64),
          other_leaf: null,
          checkpoint,
        }
      : null,
    keys: [{ vkey, valid_from: '2026-01-01T00:00:00.000Z', valid_until: null }],
  };
};

/** Returns an input in English with the verifier's verdict on the proof. */
export const inputOf = async (
  proof: ProofFile,
  changes: Partial<CertificateInput> = {},
  trustedKeys: readonly string[] = [vkey],
): Promise<CertificateInput> => ({
  language: 'en',
  order,
  proof,
  verdict: await verifyProof(Buffer.from(JSON.stringify(proof)), { trustedKeys }),
  verifyUrl,
  ...changes,
});

export const proof = await proofOf(chained(orderId, events));
export const provenInput = await inputOf(proof);
