/** The form of `custody-proof/1`: what an order's history is proved with, offline. */
import { isUuid } from '../entry-form.ts';
import type { ChainEntry } from '../entry-hash.ts';
import { readMembers } from '../json/members.ts';
import { readJson } from '../json/read-json.ts';
import { at, Rejection } from '../rejection.ts';

export interface ProofFile {
  readonly v: 'custody-proof/1';
  readonly order_id: string;
  /** `rule` is always `genesisRule`; it explains the file to readers in later years. */
  readonly genesis: { readonly rule: string; readonly hash: string };
  /** Oldest first. */
  readonly entries: readonly ChainEntry[];
  readonly count: number;
  readonly head_hash: string;
  /** Null while no checkpoint covers the last entry. */
  readonly log: ProofLog | null;
  readonly keys: readonly ProofKey[];
  /** Null or absent where no checkpoint covers the last entry, or where none carries an index. */
  readonly completeness?: ProofCompleteness | null;
}

/** What the signed order index says of the order (decision 52). */
export interface ProofCompleteness {
  /** Number of the order's entries. */
  readonly count: number;
  /** `event_hash` of the last one; the genesis hash where there is none. */
  readonly head_hash: string;
  /** base64 of 32 bytes each: the hashes beside the way to the order's leaf, the deepest first. */
  readonly path: readonly string[];
  /** Of an order without entries: the leaf of another order in its place, base64; null for none. */
  readonly other_leaf: { readonly order_key: string; readonly value_hash: string } | null;
  /** The signed note that carries the index's root; that of `log` where it is not null. */
  readonly checkpoint: string;
}

/** Where the last entry stands in the log. The chain binds the entries before it. */
export interface ProofLog {
  readonly origin: string;
  /** From 0. */
  readonly leaf_index: number;
  readonly tree_size: number;
  /** base64 of 32 bytes each, the leaf's neighbour first. */
  readonly inclusion: readonly string[];
  /** A signed note. */
  readonly checkpoint: string;
}

/** A key of the log, and when it was in use: `YYYY-MM-DDTHH:mm:ss.sssZ`, null for still. */
export interface ProofKey {
  readonly vkey: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
}

export const proofVersion = 'custody-proof/1';

export const genesisRule = 'hex(SHA-256(JCS({"v":"custody-genesis/1","order_id":order_id})))';

/** A proof file whose members are there; what is in them is not judged yet. */
export type UnjudgedProof = Required<
  Record<Exclude<keyof ProofFile, 'order_id' | 'entries'>, unknown>
> & {
  order_id: string;
  entries: ChainEntry[];
};

/**
 * Reads a proof file as far as its outer members.
 * @throws Rejection at `form`.
 */
export const readProof = (file: string | Uint8Array): UnjudgedProof =>
  at('form', () => {
    const proof = readJson(typeof file === 'string' ? file : fromUtf8(file));
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

/** @throws Rejection */
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
