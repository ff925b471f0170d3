/**
 * Opens a signed checkpoint and determines which keys of the log signed it: keys that the caller
 * supplied, and keys that the file contains. witnesses.ts verifies the cosignatures of witnesses.
 */

import { isInstant } from '../entry-form.ts';
import {
  type Checkpoint,
  type CheckpointLines,
  parseCheckpoint,
  readCheckpointLines,
} from '../note/checkpoint.ts';
import { parseNote, signersOf } from '../note/signed-note.ts';
import { type LogKey, parseVkey } from '../note/vkey.ts';
import { readMembers } from '../read-json.ts';
import { Rejection } from '../rejection.ts';
import { Unchecked } from '../web-crypto.ts';
import type { Signer } from './history-verdict.ts';
import type { ProofKey } from './proof-file.ts';

/** The keys with which signatures may be verified. */
export interface KnownKeys {
  /** Keys that the caller supplied. */
  readonly trusted: readonly DatedKey[];
  /** Keys that the file contains. */
  readonly brought: readonly DatedKey[];
}

export interface Opened {
  readonly checkpoint: Checkpoint;
  readonly lines: CheckpointLines;
  readonly signer: Signer;
  /** The keys of the log that verified a signature; empty if `signer` is `unchecked`. */
  readonly keys: readonly DatedKey[];
}

/**
 * Opens a checkpoint. Trusted keys are tried first; the file's keys only if no trusted key of this
 * log has signed. A key signs for the log only if its name is the log's origin. Without Ed25519 in
 * this program, `signer` is `unchecked`.
 * @throws Rejection if the note is malformed, the signature of a key that is tried does not verify,
 *   or no known key of the log has signed.
 */
export const openSigned = async (
  note: unknown,
  { trusted, brought }: KnownKeys,
): Promise<Opened> => {
  const { text } = parseNote(note);
  const checkpoint = parseCheckpoint(text);
  const lines = readCheckpointLines(text);
  try {
    const ofTrusted = await signersOf(note, trusted);
    const trustedKeys = ofLog(ofTrusted.signers, checkpoint);
    if (trustedKeys.length > 0) return { checkpoint, lines, signer: 'trusted', keys: trustedKeys };
    const ofBrought = await signersOf(note, brought);
    const keys = ofLog(ofBrought.signers, checkpoint);
    if (keys.length > 0) return { checkpoint, lines, signer: 'unknown', keys };
    const others = ofTrusted.signers.length + ofBrought.signers.length;
    throw new Rejection(
      others > 0
        ? `it is not signed by ${checkpoint.origin} itself`
        : 'it has no signature by a known key',
    );
  } catch (error) {
    if (error instanceof Unchecked) return { checkpoint, lines, signer: 'unchecked', keys: [] };
    throw error;
  }
};

const ofLog = (keys: readonly DatedKey[], { origin }: Checkpoint): DatedKey[] =>
  keys.filter(({ name }) => name === origin);

/**
 * A key and the end of its validity. `validUntil` is null if the key is in use, or if the caller
 * stated no end.
 */
export interface DatedKey extends LogKey {
  readonly validUntil: string | null;
}

/**
 * A key that the caller trusts: a vkey, or an element of `keys` in /custody/keys.json. The
 * element's `valid_until` is enforced; its members other than `vkey` and `valid_until` are ignored.
 */
export type TrustedKey =
  | string
  | { readonly vkey: string; readonly valid_until?: string | null | undefined };

/**
 * Reads the keys that a proof file contains.
 * @throws Rejection for malformed or repeated keys, or for more than 100 keys.
 */
export const readKeys = (keys: unknown): DatedKey[] => {
  if (!Array.isArray(keys)) throw new Rejection('keys is not an array');
  if (keys.length > keysMax) throw new Rejection(`more than ${keysMax} keys`);
  return distinct(keys.map(readKey));
};

/**
 * Reads the keys that the caller trusts. If one key is given twice, the earlier end of validity
 * applies.
 * @throws Rejection for malformed keys.
 */
export const readTrustedKeys = (trusted: readonly TrustedKey[]): DatedKey[] => {
  const byVkey = new Map<string, DatedKey>();
  for (const one of trusted) {
    const key = readTrustedKey(one);
    const before = byVkey.get(key.vkey);
    byVkey.set(key.vkey, before ? { ...key, validUntil: earlierEnd(before, key) } : key);
  }
  return distinct([...byVkey.values()]);
};

/**
 * Whether a time is at most 5 minutes after the end of a key's validity, because an entry's time
 * may be 5 minutes in the future (decision 30). The beginning of the validity is not compared.
 */
export const isValidAt = ({ validUntil }: DatedKey, instant: string): boolean =>
  validUntil === null || Date.parse(instant) <= Date.parse(validUntil) + aheadMaxMs;

const keysMax = 100;
const aheadMaxMs = 5 * 60_000;

const readTrustedKey = (trusted: TrustedKey): DatedKey => {
  if (typeof trusted === 'string') return { ...parseVkey(trusted), validUntil: null };
  const { vkey, valid_until: until = null } = trusted ?? {};
  if (until !== null && !isInstant(until)) throw new Rejection(timeForm);
  return { ...parseVkey(vkey), validUntil: until };
};

const earlierEnd = (...keys: readonly DatedKey[]): string | null =>
  keys.flatMap(({ validUntil }) => validUntil ?? []).sort()[0] ?? null;

const readKey = (value: unknown): DatedKey => {
  const key = readMembers<keyof ProofKey>(value, ['vkey', 'valid_from', 'valid_until']);
  const { valid_from: from, valid_until: until } = key;
  if (!isInstant(from) || (until !== null && !isInstant(until))) throw new Rejection(timeForm);
  if (until !== null && until < from) throw new Rejection('the use of a key ends before it begins');
  return { ...parseVkey(key.vkey), validUntil: until };
};

const timeForm = 'a time of a key is not written YYYY-MM-DDTHH:mm:ss.sssZ';

const distinct = (keys: DatedKey[]): DatedKey[] => {
  if (new Set(keys.map(({ name, id }) => `${name}+${id}`)).size < keys.length)
    throw new Rejection('a key stands there twice');
  return keys;
};
