import { emptyRoot, leafHash, nodeHash } from '../log/merkle.ts';

/**
 * The hashes of the perfect subtrees that the leaves so far make up, the largest first: all that it
 * takes to go on with a walk over a log of any size, and to tell the root wherever one stands.
 */
export class CompactRange {
  size: number;
  readonly #hashes: Buffer[];

  constructor(size = 0, hashes: readonly Buffer[] = []) {
    this.size = size;
    this.#hashes = [...hashes];
  }

  /** @param data the 32 bytes of an entry's event_hash. */
  add(data: Buffer): void {
    let hash = leafHash(data);
    // as many subtrees are closed as the size has ones at its end
    for (let rest = this.size; rest % 2 === 1; rest = Math.floor(rest / 2))
      hash = nodeHash(this.#hashes.pop()!, hash);
    this.#hashes.push(hash);
    this.size++;
  }

  get root(): Buffer {
    if (this.size === 0) return emptyRoot();
    return this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  get hashes(): readonly Buffer[] {
    return this.#hashes;
  }
}
