/**
 * Verifier keys of signed notes (C2SP signed-note): `name+key id+base64(algorithm ‖ key)`. The
 * algorithm is 0x01 for a log's key and 0x04 for a witness's key (C2SP tlog-cosignature), so a key
 * of one kind is never accepted as the other.
 */
import { sha256 } from '#sha256';
import { concat, fromBase64, toBase64, toHex } from '../bytes.ts';
import { Rejection } from '../rejection.ts';

export interface VerifierKey {
  /** The text from which the key was parsed. */
  readonly vkey: string;
  /** Name of the key; for a log's key, the log's origin. */
  readonly name: string;
  /** The id of the key: 8 lower-case hexadecimal digits. */
  readonly id: string;
  /** The 32 bytes of an Ed25519 public key. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** A key that signs notes: a log's key. */
export interface LogKey extends VerifierKey {
  readonly algorithm: typeof noteAlgorithm;
}

/** A key that makes cosignatures: a witness's key. */
export interface WitnessKey extends VerifierKey {
  readonly algorithm: typeof cosignatureAlgorithm;
}

/** Algorithm byte of a log's key: Ed25519 over the text of the note. */
export const noteAlgorithm = 0x01;
/**
 * Algorithm byte of a witness's key: Ed25519 over a time and the text of the note
 * (`cosignature/v1`).
 */
export const cosignatureAlgorithm = 0x04;

type Algorithm = typeof noteAlgorithm | typeof cosignatureAlgorithm;

/**
 * Parses the vkey of a log's key.
 * @throws Rejection for a malformed text, or for a witness's key.
 */
export const parseVkey = (vkey: unknown): LogKey =>
  readVkey(vkey, noteAlgorithm, 'only Ed25519 keys (algorithm 1) are read');

/**
 * Parses the vkey of a witness's key.
 * @throws Rejection for a malformed text, or for a log's key.
 */
export const parseWitnessVkey = (vkey: unknown): WitnessKey =>
  readVkey(vkey, cosignatureAlgorithm, 'only Ed25519 cosignature keys (algorithm 4) are read');

/** Returns the vkey of a public key. @param publicKey the 32 bytes of an Ed25519 key. */
export const vkeyOf = (
  name: string,
  publicKey: Uint8Array,
  algorithm: Algorithm = noteAlgorithm,
): string => {
  const encoded = toBase64(concat(Uint8Array.of(algorithm), publicKey));
  return `${name}+${keyId(name, publicKey, algorithm)}+${encoded}`;
};

/**
 * Returns a key's id: the first 4 bytes of SHA-256(name ‖ newline ‖ algorithm ‖ key) in lower-case
 * hexadecimal digits.
 */
export const keyId = (
  name: string,
  publicKey: Uint8Array,
  algorithm: Algorithm = noteAlgorithm,
): string => {
  const named = new TextEncoder().encode(`${name}\n`);
  return toHex(sha256(concat(named, Uint8Array.of(algorithm), publicKey)).subarray(0, 4));
};

/**
 * Whether a text can be a key's name: not empty, without Unicode spaces and plus signs (C2SP
 * signed-note). `\s` of a regular expression is another set in each language: in JavaScript it has
 * U+FEFF, which is no space, and lacks U+0085.
 */
export const isKeyName = (name: string): boolean =>
  /^[^\p{White_Space}+]+$/u.test(name) && name.isWellFormed();

const readVkey = <A extends Algorithm>(vkey: unknown, algorithm: A, others: string) => {
  const [, name, id, encoded] = (typeof vkey === 'string' && vkeyForm.exec(vkey)) || [];
  if (name === undefined || id === undefined || !isKeyName(name))
    throw new Rejection('not a key written name+id+base64');
  const bytes = fromBase64(encoded);
  if (bytes[0] !== algorithm) throw new Rejection(`${name}: ${others}`);
  if (bytes.length !== 33) throw new Rejection(`${name}: an Ed25519 key has 32 bytes`);
  const publicKey = concat(bytes.subarray(1));
  if (keyId(name, publicKey, algorithm) !== id)
    throw new Rejection(`${name}: the key id is not that of the key`);
  return { vkey: vkey as string, name, id, publicKey, algorithm };
};

const vkeyForm = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/;
