import { nodeHash } from '@pto/custody-verifier';

export const hashBytes = 32;

/** The root of a perfect subtree from its 2^n hashes, one behind the other. */
export const perfectRoot = (hashes: Uint8Array): Uint8Array => {
  if (hashes.length === hashBytes) return hashes;
  const half = hashes.length / 2;
  return nodeHash(perfectRoot(hashes.subarray(0, half)), perfectRoot(hashes.subarray(half)));
};
