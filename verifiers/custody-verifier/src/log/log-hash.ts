/** Hash functions of the log (RFC 6962, section 2.1). A prefix separates leaves from nodes. */
import { sha256 } from '#sha256';
import { concat, hashBytes } from '../bytes.ts';

/** Returns the hash of a leaf: SHA-256(0x00 ‖ data). */
export const leafHash = (data: Uint8Array): Uint8Array => sha256(concat(leafPrefix, data));

/**
 * Returns the log's leaf hash of a custody entry. The leaf's data are the 32 bytes of `event_hash`.
 */
export const entryLeafHash = (eventHash: string): Uint8Array => leafHash(hashBytes(eventHash));

/** Returns the hash of a node: SHA-256(0x01 ‖ left ‖ right). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(nodePrefix, left, right));

/** Returns the root of a log without leaves: SHA-256 of the empty string. */
export const emptyRoot = (): Uint8Array => sha256(new Uint8Array());

/** Maximum number of hashes in a path. An inclusion path in a log of 2^53 leaves has 53 hashes. */
export const pathMax = 64;

const leafPrefix = Uint8Array.of(0x00);
const nodePrefix = Uint8Array.of(0x01);
