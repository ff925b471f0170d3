import { emptyRoot, leafHash, nodeHash } from '@pto/custody-verifier';

/**
 * The hashes of the perfect subtrees over the leaves so far, the largest first: enough to continue a
 * traversal of a log of any size, and to compute the root at each of its sizes.
 */
export class CompactRange {
  size: number;
  readonly #hashes: Uint8Array[];

  constructor(size = 0, hashes: readonly Uint8Array[] = []) {
    this.size = size;
    this.#hashes = [...hashes];
  }

  /** @param data the 32 bytes of an entry's event_hash. */
  add(data: Uint8Array): void {
    let hash = leafHash(data);
    // a subtree is complete for each one bit at the end of the size
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#hashes.pop()!, hash);
    this.#hashes.push(hash);
    this.size++;
  }

  /** A copy that grows on its own. */
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
