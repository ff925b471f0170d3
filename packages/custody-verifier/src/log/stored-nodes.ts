/** The nodes that a log keeps (C2SP tlog-tiles): those whose subtree is full, never changed again. */

/** The root of the leaves from `index`·2^level to before `(index + 1)`·2^level. */
export interface NodeAt {
  /** 0 for a leaf. */
  readonly level: number;
  readonly index: number;
}

/** Reads the hashes of stored nodes, in the order asked for. */
export type HashesAt = (nodes: readonly NodeAt[]) => Promise<readonly Uint8Array[]>;

export interface StoredNode extends NodeAt {
  readonly hash: Uint8Array;
}
