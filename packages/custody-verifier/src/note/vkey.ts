/** Verifier keys of signed notes (C2SP signed-note): `name+key id+base64(algorithm ‖ key)`. */
import { sha256 } from '#sha256';
import { fromBase64, toBase64 } from '../bytes/base64.ts';
import { concat } from '../bytes/concat.ts';
import { toHex } from '../bytes/hex.ts';
import { Refused } from '../refused.ts';

export interface VerifierKey {
  /** The text it was read from. */
  readonly vkey: string;
  /** For a log's key this is the log's origin. */
  readonly name: string;
  /** 8 lower-case hex digits. */
  readonly id: string;
  /** The 32 bytes of an Ed25519 public key. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

/** @throws Refused */
export const parseVkey = (vkey: unknown): VerifierKey => {
  const [, name, id, encoded] = (typeof vkey === 'string' && vkeyForm.exec(vkey)) || [];
  if (name === undefined || !isKeyName(name)) throw new Refused('not a key written name+id+base64');
  const bytes = fromBase64(encoded);
  if (bytes[0] !== ed25519) throw new Refused(`${name}: only Ed25519 keys (algorithm 1) are read`);
  if (bytes.length !== 33) throw new Refused(`${name}: an Ed25519 key has 32 bytes`);
  const publicKey = concat(bytes.subarray(1));
  if (keyId(name, publicKey) !== id)
    throw new Refused(`${name}: the key id is not that of the key`);
  return { vkey: vkey as string, name, id, publicKey };
};

/**
 * The vkey of a public key.
 * @param publicKey the 32 bytes of an Ed25519 key.
 */
export const vkeyOf = (name: string, publicKey: Uint8Array): string =>
  `${name}+${keyId(name, publicKey)}+${toBase64(concat(algorithm, publicKey))}`;

/** The first 4 bytes, in hex, of SHA-256(name ‖ newline ‖ 0x01 ‖ key). */
export const keyId = (name: string, publicKey: Uint8Array): string => {
  const named = new TextEncoder().encode(`${name}\n`);
  return toHex(sha256(concat(named, algorithm, publicKey)).subarray(0, 4));
};

/** A key's name: not empty, without spaces and plus signs. */
export const isKeyName = (name: string): boolean => /^[^\s+]+$/.test(name) && name.isWellFormed();

const ed25519 = 0x01;
const algorithm = Uint8Array.of(ed25519);
const vkeyForm = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/;
