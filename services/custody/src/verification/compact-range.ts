import { emptyRoot, leafHash, nodeHash } from '@pto/custody-verifier';

/**
 * The hashes of the perfect subtrees that the leaves so far make up, the largest first: all that it
 * takes to go on with a walk over a log of any size, and to tell the root wherever one stands.
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
    // as many subtrees are closed as the size has ones at its end
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#hashes.pop()!, hash);
    this.#hashes.push(hash);
    this.size++;
  }

  get root(): Uint8Array {
    if (this.size === 0) return emptyRoot();
    return this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  get hashes(): readonly Uint8Array[] {
    return this.#hashes;
  }
}
