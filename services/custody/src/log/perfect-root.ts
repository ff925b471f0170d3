import { nodeHash } from '@pto/custody-verifier';

export const hashBytes = 32;

/** Returns the root of a perfect subtree, computed from its 2^n concatenated hashes. */
export const perfectRoot = (hashes: Uint8Array): Uint8Array => {
  if (hashes.length === hashBytes) return hashes;
  const half = hashes.length / 2;
  return nodeHash(perfectRoot(hashes.subarray(0, half)), perfectRoot(hashes.subarray(half)));
};
