/** What `verifyProof` says. */
export type ProofVerdict = ProvenHistory | ProofFault;

export interface ProvenHistory {
  readonly valid: true;
  readonly orderId: string;
  /** Number of entries in the chain. */
  readonly entries: number;
  /** The hash of the last one. */
  readonly head: string;
  /** Null while no checkpoint covers the last entry. */
  readonly log: ProvenInclusion | null;
  /** What a reader must know beside it, a sentence each. */
  readonly remarks: readonly string[];
}

export interface ProvenInclusion {
  readonly origin: string;
  /** The last entry's leaf, from 0. */
  readonly leafIndex: number;
  /** Leaves under the checkpoint. */
  readonly treeSize: number;
  /** base64. */
  readonly root: string;
  /** The vkey that checked the checkpoint. */
  readonly key: string;
  /** Whether that key was given by the caller, or only by the file itself. */
  readonly keyFrom: 'caller' | 'file';
}

/** The first thing that is wrong. */
export interface ProofFault {
  readonly valid: false;
  /**
   * Where: `form`, `genesis`, `entries`, `count`, `head_hash`, `log`, `log.inclusion`,
   * `log.checkpoint`, `keys`, `trusted_keys`, `seen.head` or `seen.checkpoint`.
   */
  readonly at: string;
  /** The entry to blame, from 0, where `at` is `entries` or `seen.head`. */
  readonly index?: number;
  /** Its id; empty where it has none, or is not there. */
  readonly entryId?: string;
  readonly reason: string;
}
