import { emptyIndexHash } from './index-hash.ts';
import { type IndexLeaf, type IndexSubtree, isLeaf, joined, subtreeHash } from './index-subtree.ts';
import { bitOf, keyBits, sharedBits } from './key-bits.ts';

/**
 * Computes the index's root from its leaves in the order of their keys. Memory is bounded by the
 * depth of the index, not by the number of leaves.
 */
export class IndexRoot {
  /** Subtrees that wait for their right half, with the depth of the node over both. */
  readonly #waiting: { readonly left: Placed; readonly depth: number }[] = [];
  #last: IndexLeaf | null = null;

  /** @throws RangeError unless the leaf's key is greater than that of the leaf before. */
  add(leaf: IndexLeaf): void {
    const before = this.#last;
    this.#last = leaf;
    if (!before) return;
    const depth = sharedBits(before.key, leaf.key);
    if (depth === keyBits || bitOf(before.key, depth) === 1)
      throw new RangeError('leaves of the index are added in the order of their keys, each once');
    this.#waiting.push({ left: this.#closed(before, depth), depth });
  }

  /** The root of the leaves so far. */
  get root(): Uint8Array {
    if (!this.#last) return emptyIndexHash;
    let subtree: Placed = { subtree: this.#last, depth: keyBits, key: this.#last.key };
    for (const { left, depth } of this.#waiting.toReversed()) subtree = over(left, subtree, depth);
    return subtreeHash(raised(subtree, 0));
  }

  /** Joins what waits below `depth` with the last leaf, which ends there. */
  #closed(last: IndexLeaf, depth: number): Placed {
    let subtree: Placed = { subtree: last, depth: keyBits, key: last.key };
    while ((this.#waiting.at(-1)?.depth ?? -1) > depth) {
      const { left, depth: at } = this.#waiting.pop()!;
      subtree = over(left, subtree, at);
    }
    return subtree;
  }
}

/** A subtree, the number of bits that its leaves share by their place, and one of their keys. */
interface Placed {
  readonly subtree: IndexSubtree;
  readonly depth: number;
  readonly key: Uint8Array;
}

const over = (left: Placed, right: Placed, depth: number): Placed => ({
  subtree: joined(raised(left, depth + 1), raised(right, depth + 1)),
  depth,
  key: right.key,
});

/** The subtree at a smaller depth, where it is alone: its other half is empty at each level. */
const raised = ({ subtree, depth, key }: Placed, to: number): IndexSubtree => {
  if (isLeaf(subtree)) return subtree;
  let at: IndexSubtree = subtree;
  for (let bit = depth - 1; bit >= to; bit--)
    at = bitOf(key, bit) === 0 ? joined(at, null) : joined(null, at);
  return at;
};
