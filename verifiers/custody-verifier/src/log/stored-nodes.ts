/** A log stores only nodes with a full subtree, because these never change (C2SP tlog-tiles). */

/** A node: the root of the 2^level leaves from position `index`·2^level on. */
export interface NodeAt {
  /** Height of the node; 0 for a leaf. */
  readonly level: number;
  readonly index: number;
}

/** Reads the hashes of stored nodes. The result has the order of `nodes`. */
export type HashesAt = (nodes: readonly NodeAt[]) => Promise<readonly Uint8Array[]>;

export interface StoredNode extends NodeAt {
  readonly hash: Uint8Array;
}
