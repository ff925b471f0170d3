import { type ChainEntry, genesisHash } from '../entry-hash.ts';
import { readJson, readMembers } from '../read-json.ts';
import { at, Rejection } from '../rejection.ts';
import { entriesMax, type Head, seenFault, verifyChain } from '../verify-chain.ts';
import { proveComplete } from './completeness-proof.ts';
import { judgeDevices } from './devices.ts';
import type { ProofFault, ProofVerdict } from './history-verdict.ts';
import { checkSeenCheckpoint, type Included, proveIncluded } from './log-proof.ts';
import { genesisRule, readProof, textOf, type UnjudgedProof } from './proof-file.ts';
import { historyVerdict, invalidVerdict } from './sentences.ts';
import { type KnownKeys, readKeys, readTrustedKeys, type TrustedKey } from './signed-checkpoint.ts';
import { type KnownWitnesses, readWitnesses, type Witnesses, witnessPart } from './witnesses.ts';

export interface ProofOptions {
  /**
   * Keys of the log that the caller obtained from another source. Without them nothing is proven.
   */
  readonly trustedKeys?: readonly TrustedKey[] | undefined;
  readonly seen?: Seen | undefined;
  /** If given, a history is proven only if enough of these witnesses cosigned its checkpoint. */
  readonly witnesses?: Witnesses | undefined;
}

/** What the caller stored earlier. The proof must agree with all of it. */
export interface Seen {
  readonly head?: Head | undefined;
  /** The signed note of an earlier checkpoint. */
  readonly checkpoint?: string | undefined;
  /** The consistency path between that checkpoint and the file's, base64, if their sizes differ. */
  readonly consistency?: readonly string[] | undefined;
}

/**
 * Judges the custody history in a proof file, offline (decisions 51 and 52). A malformed file, or an
 * option with a malformed key, time, quorum, head or checkpoint, gives an invalid verdict, no error.
 * @param file the text of a `custody-proof/1`, or its UTF-8 bytes.
 * @returns the verdict; its `limit` says in words what the verdict does not prove.
 */
export const verifyProof = async (
  file: string | Uint8Array,
  { trustedKeys = [], seen = {}, witnesses }: ProofOptions = {},
): Promise<ProofVerdict> => {
  try {
    const proof = readProof(file);
    const keys = {
      brought: at('keys', () => readKeys(proof.keys)),
      trusted: at('trusted_keys', () => readTrustedKeys(trustedKeys)),
    };
    const known = at('witnesses', () => (witnesses ? readWitnesses(witnesses) : null));
    return await judgeProof(proof, keys, seen, known);
  } catch (error) {
    if (error instanceof Rejection) return invalidVerdict({ at: error.at, reason: error.message });
    throw error;
  }
};

const judgeProof = async (
  proof: UnjudgedProof,
  keys: KnownKeys,
  seen: Seen,
  witnesses: KnownWitnesses | null,
): Promise<ProofVerdict> => {
  const { order_id: orderId, entries } = proof;
  checkGenesis(orderId, proof.genesis);
  const fault = chainFault(proof, seen);
  if (fault) return invalidVerdict(fault);
  const devices = await judgeDevices(orderId, entries);
  if ('reason' in devices) return invalidVerdict(devices);
  const included = await includedIn(proof, keys);
  const completeness = await proveComplete(proof, included, keys);
  const shown = included?.opened.checkpoint ?? completeness?.checkpoint ?? null;
  if (seen.checkpoint !== undefined)
    await checkSeenCheckpoint(seen.checkpoint, seen.consistency, shown, keys);
  const head = entries.at(-1)?.event_hash ?? genesisHash(orderId);
  return historyVerdict({
    source: 'proof',
    orderId,
    entries,
    head,
    devices,
    log: included?.part ?? null,
    completeness: completeness?.part ?? null,
    witnesses:
      witnesses &&
      (await at('log.checkpoint', () =>
        witnessPart((included ?? completeness)?.note ?? null, witnesses),
      )),
  });
};

/**
 * Verifies the member `log`. A proof without entries (a DRAFT order) has no leaf, so its `log` is
 * null.
 */
const includedIn = async (
  { entries, log }: UnjudgedProof,
  keys: KnownKeys,
): Promise<Included | null> => {
  if (log === null) return null;
  const last = entries.at(-1);
  if (!last) throw new Rejection('an order without entries is in no log', 'log');
  return await proveIncluded(log, last, keys);
};

const checkGenesis = (orderId: string, genesis: unknown): void =>
  at('genesis', () => {
    const { rule, hash } = readMembers(genesis, ['rule', 'hash']);
    if (rule !== genesisRule) throw new Rejection('rule is not the one of custody-genesis/1');
    if (hash !== genesisHash(orderId)) throw new Rejection('hash is not that of order_id');
  });

const chainFault = (
  { order_id: orderId, entries, count, head_hash: headHash }: UnjudgedProof,
  { head: seen }: Seen,
): ProofFault | null => {
  if (entries.length > entriesMax) throw new Rejection(`more than ${entriesMax}`, 'entries');
  const chain = verifyChain(orderId, entries);
  if (!chain.valid) return { ...chain, at: 'entries' };
  if (count !== entries.length)
    throw new Rejection(`the file has ${entries.length} entries, and says otherwise`, 'count');
  if (headHash !== chain.head)
    throw new Rejection('it is not the hash of the last entry', 'head_hash');
  if (!seen) return null;
  const fault = seenFault(orderId, entries, seen);
  return fault && { ...fault, at: 'seen.head' };
};

/**
 * Judges a list of events, the response of `GET /orders/{id}/events`. The verdict is never proven
 * (decision 51).
 * @param file the text of the list, or its UTF-8 bytes.
 * @param seen an earlier head that the chain must still contain.
 */
export const verifyEvents = async (
  file: string | Uint8Array,
  orderId: string,
  seen?: Head,
): Promise<ProofVerdict> => {
  try {
    const events = readJson(textOf(file));
    if (!Array.isArray(events)) throw new Rejection('not a list of events');
    const entries = events as ChainEntry[];
    const chain = verifyChain(orderId, entries, seen);
    if (!chain.valid) return invalidVerdict({ ...chain, at: 'entries' });
    const devices = await judgeDevices(orderId, entries);
    if ('reason' in devices) return invalidVerdict(devices);
    return historyVerdict({
      source: 'events',
      devices,
      orderId,
      entries,
      head: chain.head,
      log: null,
      completeness: null,
      witnesses: null,
    });
  } catch (error) {
    if (error instanceof Rejection) return invalidVerdict({ at: 'form', reason: error.message });
    throw error;
  }
};
