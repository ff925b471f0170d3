import { emptyIndexHash } from './index-hash.ts';
import { type IndexLeaf, type IndexSubtree, isLeaf, joined, subtreeHash } from './index-subtree.ts';
import { bitOf, keyBits, sharedBits } from './key-bits.ts';

/**
 * Computes the index's root from its leaves, added in the order of their keys. Memory is bounded by
 * the depth of the index, not by the number of leaves.
 */
export class IndexRoot {
  /** Left subtrees that wait for their right sibling, with the depth of their parent. */
  readonly #waiting: { readonly left: Placed; readonly depth: number }[] = [];
  #last: IndexLeaf | null = null;

  /** Adds a leaf. @throws RangeError unless its key is greater than the key of the leaf before. */
  add(leaf: IndexLeaf): void {
    const before = this.#last;
    this.#last = leaf;
    if (!before) return;
    const depth = sharedBits(before.key, leaf.key);
    if (depth === keyBits || bitOf(before.key, depth) === 1)
      throw new RangeError('leaves of the index are added in the order of their keys, each once');
    this.#waiting.push({ left: this.#closed(before, depth), depth });
  }

  /** The root of the index over the leaves added so far. */
  get root(): Uint8Array {
    if (!this.#last) return emptyIndexHash;
    let subtree: Placed = { subtree: this.#last, depth: keyBits, key: this.#last.key };
    for (const { left, depth } of this.#waiting.toReversed()) subtree = over(left, subtree, depth);
    return subtreeHash(raised(subtree, 0));
  }

  /** Joins the waiting subtrees below `depth` with the subtree that ends at the last leaf. */
  #closed(last: IndexLeaf, depth: number): Placed {
    let subtree: Placed = { subtree: last, depth: keyBits, key: last.key };
    while ((this.#waiting.at(-1)?.depth ?? -1) > depth) {
      const { left, depth: at } = this.#waiting.pop()!;
      subtree = over(left, subtree, at);
    }
    return subtree;
  }
}

/** A subtree, the number of leading key bits that its position determines, and one of its keys. */
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

/**
 * Returns the subtree that the same leaves form at the smaller depth `to`. The sibling is empty at
 * each level in between. A single leaf is the same at any depth.
 */
const raised = ({ subtree, depth, key }: Placed, to: number): IndexSubtree => {
  if (isLeaf(subtree)) return subtree;
  let at: IndexSubtree = subtree;
  for (let bit = depth - 1; bit >= to; bit--)
    at = bitOf(key, bit) === 0 ? joined(at, null) : joined(null, at);
  return at;
};
