import { emptyRoot, leafHash, nodeHash } from '@pto/custody-verifier';

/**
 * The hashes of the perfect subtrees over the leaves added so far, largest first. They suffice to
 * compute the root over these leaves and to continue the traversal of a log.
 */
export class CompactRange {
  size: number;
  readonly #hashes: Uint8Array[];

  constructor(size = 0, hashes: readonly Uint8Array[] = []) {
    this.size = size;
    this.#hashes = [...hashes];
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

  /** Returns an independent copy. */
  copy(): CompactRange {
    return new CompactRange(this.size, this.#hashes);
  }

  get root(): Uint8Array {
    if (this.size === 0) return emptyRoot();
    return this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  get hashes(): readonly Uint8Array[] {
    return this.#hashes;
  }
}
