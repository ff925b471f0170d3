import type { ChainEntry } from '../entry-hash.ts';
import type { PersonalFields } from '../personal-fields.ts';

/**
 * A verdict on a custody history (decision 51):
 *
 * - `proven`: the chain is consistent and a trusted key signed a checkpoint that covers the last
 *   entry. For an order without entries, a trusted key signed a checkpoint whose order index does
 *   not contain the order. If the caller names witnesses, enough of them cosigned that checkpoint.
 * - `consistent`: the hashes agree, but no trusted key signed such a checkpoint, or too few
 *   witnesses cosigned it.
 * - `invalid`: anything else.
 */
export type ProofVerdict = HistoryVerdict | InvalidVerdict;

export interface HistoryVerdict {
  readonly verdict: 'proven' | 'consistent';
  /** The verdict in one sentence. */
  readonly headline: string;
  /** What the verdict does not prove (decision 52). */
  readonly limit: string;
  readonly orderId: string;
  /** Number of entries in the chain. */
  readonly entries: number;
  /** `ts_utc` of the last entry; null for an order without entries. */
  readonly upTo: string | null;
  /** `event_hash` of the last entry; the genesis hash for an order without entries. */
  readonly head: string;
  /** Null if no checkpoint covers the last entry. */
  readonly log: LogPart | null;
  /** Null if the file does not prove what the signed order index contains for the order. */
  readonly completeness: CompletenessPart | null;
  /** The personal fields that were recomputed, erased and withheld (decisions 70 and 72). */
  readonly personal: PersonalFields;
  /** The records of drivers' devices (decision 85). */
  readonly devices: readonly DevicePart[];
  /** Absent unless the caller named witnesses. */
  readonly witnesses?: WitnessPart;
}

/**
 * The checkpoint whose order index states the number of entries and the head of the file (decision
 * 52).
 */
export interface CompletenessPart {
  /** Number of leaves that the checkpoint covers. */
  readonly treeSize: number;
  /** The root of the index: base64 of 32 bytes. */
  readonly root: string;
  /**
   * When the log signed, by its own claim, `YYYY-MM-DDTHH:mm:ss.sssZ`; null if the checkpoint has
   * no time.
   */
  readonly time: string | null;
  readonly signer: Signer;
  /** The vkey that verified the signature; null if this program cannot verify signatures. */
  readonly key: string | null;
}

/**
 * The witnesses that cosigned the checkpoint of the file: the checkpoint of `log`, else the
 * checkpoint of `completeness`.
 */
export interface WitnessPart {
  /** Number of witnesses that the caller named. */
  readonly given: number;
  /** Number of witnesses that must have cosigned. */
  readonly quorum: number;
  /** The witnesses that cosigned; empty if the file has no checkpoint. */
  readonly cosigned: readonly {
    /** The vkey of the witness. */
    readonly witness: string;
    readonly name: string;
    /**
     * Time of the cosignature by the witness's own claim: `YYYY-MM-DDTHH:mm:ss.sssZ`, whole
     * seconds.
     */
    readonly cosignedAt: string;
  }[];
}

/** The record of a device in an entry. */
export interface DevicePart {
  /** The entry's number, from 1. */
  readonly entry: number;
  /** The short name of the device's key (`deviceKeyId`). */
  readonly key: string;
  readonly driverId: string;
  readonly carrierId: string;
  /** By the device's clock. */
  readonly recordedAt: string;
  /** By the clock of the service. */
  readonly receivedAt: string;
  /** Whether the record could not be applied and is kept for what it says. */
  readonly isKept: boolean;
  /** Whether this history has the entry that the device had seen. */
  readonly hasSeen: boolean;
  /** The time from which on the device is revoked, if the record is not older; null: it is valid. */
  readonly revokedFrom: string | null;
  /** False if this program cannot verify signatures. */
  readonly isChecked: boolean;
}

/** The checkpoint that covers the last entry. */
export interface LogPart {
  readonly origin: string;
  /** Index of the last entry's leaf, counted from 0. */
  readonly leafIndex: number;
  /** Number of leaves that the checkpoint covers. */
  readonly treeSize: number;
  /** The root of the log: base64 of 32 bytes. */
  readonly root: string;
  /** Whether the checkpoint carries the root of an order index. */
  readonly indexed: boolean;
  readonly signer: Signer;
  /** The vkey that verified the signature; null if this program cannot verify signatures. */
  readonly key: string | null;
}

/**
 * The signer of a checkpoint: `trusted` is a key that the caller supplied, `unknown` a key that
 * only the file contains. `unchecked` means that this program cannot verify Ed25519 signatures.
 */
export type Signer = 'trusted' | 'unknown' | 'unchecked';

/** The first error that was found in a file: the member, the entry and the reason. */
export interface ProofFault {
  /**
   * The member of the file or the option with the error: `form`, `genesis`, `entries`, `count`,
   * `head_hash`, `device`, `log`, `log.inclusion`, `log.checkpoint`, `completeness`, `keys`, `trusted_keys`,
   * `witnesses`, `seen.head` or `seen.checkpoint`.
   */
  readonly at: string;
  /** Index of the entry with the error, from 0, if `at` is `entries`, `device` or `seen.head`. */
  readonly index?: number;
  /** The id of that entry; empty if the entry has no id or is absent. */
  readonly entryId?: string;
  readonly reason: string;
}

export interface InvalidVerdict extends ProofFault {
  readonly verdict: 'invalid';
  readonly headline: string;
  readonly limit: string;
}

/** A consistent chain, and the verified parts of the file that contains it. */
export interface HistoryParts {
  /** What was judged: a proof file, or a bare list of events, which cannot contain a log part. */
  readonly source: 'proof' | 'events';
  readonly orderId: string;
  readonly entries: readonly ChainEntry[];
  readonly head: string;
  readonly devices: readonly DevicePart[];
  readonly log: LogPart | null;
  readonly completeness: CompletenessPart | null;
  /** Null unless the caller named witnesses. */
  readonly witnesses: WitnessPart | null;
}
