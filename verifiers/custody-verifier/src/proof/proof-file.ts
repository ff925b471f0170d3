/** The format `custody-proof/1`: a file that proves an order's history offline. */
import { isUuid } from '../entry-form.ts';
import type { ChainEntry } from '../entry-hash.ts';
import { readJson, readMembers } from '../read-json.ts';
import { at, Rejection } from '../rejection.ts';

export interface ProofFile {
  readonly v: 'custody-proof/1';
  readonly order_id: string;
  /** `rule` is always `genesisRule`. It explains the file to readers in later years. */
  readonly genesis: { readonly rule: string; readonly hash: string };
  /** The entries, oldest first. */
  readonly entries: readonly ChainEntry[];
  readonly count: number;
  readonly head_hash: string;
  /** Null if no checkpoint covers the last entry. */
  readonly log: ProofLog | null;
  readonly keys: readonly ProofKey[];
  /**
   * Null or absent if the order's entries are in no checkpoint yet, or if the checkpoint carries no
   * index root. An order without entries may have a completeness proof.
   */
  readonly completeness?: ProofCompleteness | null;
}

/** What the signed order index contains for the order (decision 52). */
export interface ProofCompleteness {
  /** Number of the order's entries. */
  readonly count: number;
  /** The `event_hash` of the last entry; the genesis hash if there is none. */
  readonly head_hash: string;
  /**
   * The sibling hashes from the end of the order's path (its leaf, if it has one) up to the root,
   * deepest first: base64 of 32 bytes each.
   */
  readonly path: readonly string[];
  /**
   * For an order without entries: the leaf of another order at the end of the path, each value in
   * base64; null if there is no such leaf.
   */
  readonly other_leaf: { readonly order_key: string; readonly value_hash: string } | null;
  /** The signed note with the index's root; the checkpoint of `log` if that is not null. */
  readonly checkpoint: string;
}

/** The position of the last entry in the log. The chain binds the entries before it. */
export interface ProofLog {
  readonly origin: string;
  /** Position of the last entry's leaf in the log, from 0. */
  readonly leaf_index: number;
  readonly tree_size: number;
  /** The sibling hashes from the leaf up to the root: base64 of 32 bytes each. */
  readonly inclusion: readonly string[];
  /** The signed note of the checkpoint. */
  readonly checkpoint: string;
}

/**
 * A key of the log and its validity as `YYYY-MM-DDTHH:mm:ss.sssZ`; `valid_until` is null while the
 * key is in use.
 */
export interface ProofKey {
  readonly vkey: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
}

export const proofVersion = 'custody-proof/1';

export const genesisRule = 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))';

/** A proof file with all its members. Their content is not verified yet. */
export type UnjudgedProof = Required<
  Record<Exclude<keyof ProofFile, 'order_id' | 'entries'>, unknown>
> & {
  order_id: string;
  entries: ChainEntry[];
};

/** Reads the outer members of a proof file. @throws Rejection at `form`. */
export const readProof = (file: string | Uint8Array): UnjudgedProof =>
  at('form', () => {
    const proof = readJson(textOf(file));
    const version = (proof as Record<string, unknown> | null)?.v;
    if (version !== proofVersion) throw new Rejection(`v is not ${proofVersion}`);
    const names = Object.hasOwn(proof as object, 'completeness')
      ? ([...members, 'completeness'] as const)
      : members;
    const given: Partial<Record<keyof ProofFile, unknown>> = readMembers(proof, names);
    const { order_id, entries, completeness = null } = given;
    if (!isUuid(order_id)) throw new Rejection('order_id is not a UUID in lower case');
    if (!Array.isArray(entries)) throw new Rejection('entries is not an array');
    return { ...(given as UnjudgedProof), order_id, entries, completeness };
  });

/** Returns the text of a file, which is given as text or as UTF-8, without a byte order mark. */
export const textOf = (file: string | Uint8Array): string =>
  typeof file === 'string' ? file.replace(/^\uFEFF/, '') : fromUtf8(file);

/**
 * Decodes UTF-8, without the byte order mark that some editors put before a file (RFC 8259, 8.1).
 * @throws Rejection for bytes that are not UTF-8.
 */
export const fromUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Rejection('not UTF-8');
  }
};

const members = [
  'v',
  'order_id',
  'genesis',
  'entries',
  'count',
  'head_hash',
  'log',
  'keys',
] as const;
