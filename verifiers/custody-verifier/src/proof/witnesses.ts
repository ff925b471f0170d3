/** Determines which of the caller's witnesses cosigned the checkpoint of a proof file. */
import { toHex } from '../bytes.ts';
import { cosignaturesOf } from '../note/signed-note.ts';
import { parseWitnessVkey, type WitnessKey } from '../note/vkey.ts';
import { Rejection } from '../rejection.ts';
import { Unchecked } from '../web-crypto.ts';
import type { WitnessPart } from './history-verdict.ts';

/** The witnesses that the caller trusts, and the number of them that must have cosigned. */
export interface Witnesses {
  /** At least one vkey with algorithm byte 0x04. */
  readonly vkeys: readonly string[];
  /** From 1 to the number of vkeys; by default all. */
  readonly quorum?: number | undefined;
}

/** {@link Witnesses} with parsed keys. */
export interface KnownWitnesses {
  readonly keys: readonly WitnessKey[];
  readonly quorum: number;
}

/**
 * Reads the caller's witnesses. No public key may be given twice: a cosignature does not commit to
 * the witness's name, so one key under two names would count as two witnesses.
 * @throws Rejection for malformed or repeated keys, more than 100 keys, or a quorum that is not
 *   from 1 to the number of keys.
 */
export const readWitnesses = ({ vkeys, quorum = vkeys.length }: Witnesses): KnownWitnesses => {
  if (vkeys.length > witnessesMax) throw new Rejection(`more than ${witnessesMax} witnesses`);
  const keys = vkeys.map(parseWitnessVkey);
  if (new Set(keys.map(({ publicKey }) => toHex(publicKey))).size < keys.length)
    throw new Rejection('the key of a witness stands there twice');
  if (!Number.isSafeInteger(quorum) || quorum < 1 || quorum > keys.length)
    throw new Rejection('the quorum is not a number from 1 to the number of witnesses');
  return { keys, quorum };
};

/**
 * Returns the caller's witnesses that cosigned a checkpoint.
 * @param note the signed note; null if the file has no checkpoint.
 * @throws Rejection if a cosignature of a known witness does not verify.
 */
export const witnessPart = async (
  note: unknown,
  { keys, quorum }: KnownWitnesses,
): Promise<WitnessPart> => {
  // without Ed25519 in this program, the signer is unchecked, and so are the cosignatures
  const found = note === null ? [] : await cosignaturesOf(note, keys).catch(noneIfUnchecked);
  const cosigned = found.map(({ witness, time }) => ({
    witness: witness.vkey,
    name: witness.name,
    cosignedAt: new Date(time * 1000).toISOString(),
  }));
  return { given: keys.length, quorum, cosigned };
};

const noneIfUnchecked = (error: unknown): [] => {
  if (error instanceof Unchecked) return [];
  throw error;
};

const witnessesMax = 100;
