import { toBase64 } from '../bytes/base64.ts';
import { genesisHash } from '../entry-hash.ts';
import { readMembers } from '../json/members.ts';
import { at, Refused } from '../refused.ts';
import { entriesMax, type Head, seenFault, verifyChain } from '../verify-chain.ts';
import { type Included, proveIncluded } from './inclusion-proof.ts';
import { readKeys, readTrustedKeys } from './keys.ts';
import { genesisRule, readProof, type UnjudgedProof } from './proof-file.ts';
import { checkSeenCheckpoint } from './seen-checkpoint.ts';
import type { ProofFault, ProofVerdict, ProvenInclusion } from './verdict.ts';

export interface ProofOptions {
  /** vkeys got from elsewhere. With them, the keys that the file brings count for nothing. */
  readonly trustedKeys?: readonly string[] | undefined;
  readonly seen?: Seen | undefined;
}

/** What somebody has kept from earlier; the proof must agree with all that is given. */
export interface Seen {
  readonly head?: Head | undefined;
  /** A signed checkpoint. */
  readonly checkpoint?: string | undefined;
  /** The path between that checkpoint and the file's, base64, where their sizes differ. */
  readonly consistency?: readonly string[] | undefined;
}

/**
 * Tells from a proof file alone whether an order's history is whole and was in the signed log.
 * @param file the text of a `custody-proof/1`, or its UTF-8.
 * @returns the first fault, or what is proved; never throws, whatever the file holds.
 */
export const verifyProof = async (
  file: string | Uint8Array,
  options: ProofOptions = {},
): Promise<ProofVerdict> => {
  try {
    return await judge(readProof(file), options);
  } catch (error) {
    if (error instanceof Refused) return { valid: false, at: error.at, reason: error.message };
    throw error;
  }
};

const judge = async (
  proof: UnjudgedProof,
  { trustedKeys, seen = {} }: ProofOptions,
): Promise<ProofVerdict> => {
  const { order_id: orderId, entries } = proof;
  const own = at('keys', () => readKeys(proof.keys));
  const trusted = trustedKeys && at('trusted_keys', () => readTrustedKeys(trustedKeys));
  checkGenesis(orderId, proof.genesis);
  const chainFault = checkChain(proof, seen);
  if (chainFault) return chainFault;
  const keys = trusted ?? own;
  const last = entries.at(-1)!;
  const included = proof.log === null ? null : await proveIncluded(proof.log, last, keys);
  if (seen.checkpoint !== undefined)
    await checkSeenCheckpoint(
      seen.checkpoint,
      seen.consistency,
      included?.checkpoint ?? null,
      keys,
    );
  const log = included && provenInclusion(included, trusted ? 'caller' : 'file');
  return {
    valid: true,
    orderId,
    entries: entries.length,
    head: last.event_hash,
    log,
    remarks: remarks(log),
  };
};

const checkGenesis = (orderId: string, genesis: unknown): void =>
  at('genesis', () => {
    const { rule, hash } = readMembers(genesis, ['rule', 'hash']);
    if (rule !== genesisRule) throw new Refused('rule is not the one of custody-genesis/1');
    if (hash !== genesisHash(orderId)) throw new Refused('hash is not that of order_id');
  });

const checkChain = (
  { order_id: orderId, entries, count, head_hash: headHash }: UnjudgedProof,
  { head: seen }: Seen,
): ProofFault | null => {
  if (entries.length === 0) throw new Refused('no entries: nothing is proved', 'entries');
  if (entries.length > entriesMax) throw new Refused(`more than ${entriesMax}`, 'entries');
  const chain = verifyChain(orderId, entries);
  if (!chain.valid) return { ...chain, at: 'entries' };
  if (count !== entries.length)
    throw new Refused(`the file has ${entries.length} entries, and says otherwise`, 'count');
  if (headHash !== chain.head)
    throw new Refused('it is not the hash of the last entry', 'head_hash');
  if (!seen) return null;
  const fault = seenFault(orderId, entries, seen);
  return fault && { ...fault, at: 'seen.head' };
};

const provenInclusion = (
  { leafIndex, checkpoint, key }: Included,
  keyFrom: ProvenInclusion['keyFrom'],
): ProvenInclusion => ({
  origin: checkpoint.origin,
  leafIndex,
  treeSize: checkpoint.size,
  root: toBase64(checkpoint.root),
  key: key.vkey,
  keyFrom,
});

const remarks = (log: ProvenInclusion | null): string[] => {
  if (!log) return ['the chain is valid, and not yet in the log: no checkpoint covers it'];
  return log.keyFrom === 'file'
    ? ['the checkpoint is signed by a key that the file itself brings']
    : [];
};
