/** RFC 6962 hashing of one append-only log. */
import { createHash } from 'node:crypto';

export const hashBytes = 32;

/** @param data the 32 bytes of an entry's event_hash. */
export const leafHash = (data: Uint8Array): Buffer =>
  createHash('sha256').update(Buffer.of(0)).update(data).digest();

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();

/** The root of a perfect subtree from its 2^n hashes, one behind the other. */
export const perfectRoot = (hashes: Uint8Array): Buffer => {
  if (hashes.length === hashBytes) return Buffer.from(hashes);
  const half = hashes.length / 2;
  return nodeHash(perfectRoot(hashes.subarray(0, half)), perfectRoot(hashes.subarray(half)));
};

/** What the tree of no leaves hashes to. */
export const emptyRoot = (): Buffer => createHash('sha256').digest();
