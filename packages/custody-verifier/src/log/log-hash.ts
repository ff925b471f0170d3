/** The log's hashing, RFC 6962, section 2.1: a prefix keeps leaves and nodes apart. */
import { sha256 } from '#sha256';
import { concat } from '../bytes/concat.ts';
import { hashBytes } from '../bytes/hex.ts';

/** SHA-256(0x00 ‖ data). */
export const leafHash = (data: Uint8Array): Uint8Array => sha256(concat(leafPrefix, data));

/** The log's leaf of a custody entry: its data are the 32 raw bytes of `event_hash`. */
export const entryLeafHash = (eventHash: string): Uint8Array => leafHash(hashBytes(eventHash));

/** SHA-256(0x01 ‖ left ‖ right). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concat(nodePrefix, left, right));

/** The root of a log without leaves: SHA-256 of nothing. */
export const emptyRoot = (): Uint8Array => sha256(new Uint8Array());

/** No path is longer: a log of 2^53 leaves has paths of 53 hashes. */
export const pathMax = 64;

const leafPrefix = Uint8Array.of(0x00);
const nodePrefix = Uint8Array.of(0x01);
