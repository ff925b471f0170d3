import { emptyRoot, leafHash, nodeHash, toBase64 } from '@pto/custody-verifier';

/** A position in the log, from which a traversal continues. */
export interface LogPosition {
  /** Number of leaves before the position. */
  readonly size: number;
  /** Roots of the perfect subtrees over these leaves in base64, largest first. */
  readonly hashes: readonly string[];
}

export const logStart: LogPosition = { size: 0, hashes: [] };

/**
 * The hashes of the perfect subtrees over the leaves added so far, largest first. They suffice to
 * compute the root over these leaves and to continue the traversal of a log.
 */
export class CompactRange {
  size: number;
  readonly #hashes: Uint8Array[];

  constructor({ size, hashes }: LogPosition = logStart) {
    this.size = size;
    this.#hashes = hashes.map((hash) => Buffer.from(hash, 'base64'));
  }

  /** Adds a leaf. @param data the 32 bytes of an entry's event_hash. */
  add(data: Uint8Array): void {
    let hash = leafHash(data);
    // each trailing one bit of the size completes a subtree
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#hashes.pop()!, hash);
    this.#hashes.push(hash);
    this.size++;
  }

  get root(): Uint8Array {
    if (this.size === 0) return emptyRoot();
    return this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  get position(): LogPosition {
    return { size: this.size, hashes: this.#hashes.map((hash) => toBase64(hash)) };
  }
}
