/**
 * The signed text of a log's state (C2SP tlog-checkpoint): origin, size and root, one line each.
 */
import { fromBase64, toBase64 } from '../bytes/base64.ts';
import type { LogState } from '../log/consistency.ts';
import { Rejection } from '../rejection.ts';
import { verifyNote } from './verify-note.ts';
import type { LogKey } from './vkey.ts';

export interface Checkpoint extends LogState {
  /** The name of the log, which is also the name of its keys. */
  readonly origin: string;
}

/** Returns the text of a checkpoint, which the log signs. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/**
 * Parses a checkpoint's text. Lines after the third are extensions and are ignored here.
 * @throws Rejection for a malformed text.
 */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin, size, root, ...extensions] = text.split('\n');
  if (!origin || size === undefined || extensions.pop() !== '')
    throw new Rejection('a checkpoint has three lines: origin, size, root');
  if (extensions.includes('')) throw new Rejection('a checkpoint has no empty lines');
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new Rejection('the size of a checkpoint is a decimal number without leading zeros');
  return { origin, size: Number(size), root: fromBase64(root, 32) };
};

/**
 * Opens a signed checkpoint. Only a key whose name is the checkpoint's origin signs for the log, so
 * a witness's signature does not replace the log's.
 * @returns the checkpoint and the first key of the log that signed it.
 * @throws Rejection if the note is malformed, the signature of a known key does not verify, or no
 *   known key of the log has signed; Unchecked if this program has no Ed25519.
 */
export const openCheckpoint = async (
  note: unknown,
  keys: readonly LogKey[],
): Promise<{ checkpoint: Checkpoint; key: LogKey }> => {
  const { text, signers } = await verifyNote(note, keys);
  const checkpoint = parseCheckpoint(text);
  const key = signers.find(({ name }) => name === checkpoint.origin);
  if (!key) throw new Rejection(`it is not signed by ${checkpoint.origin} itself`);
  return { checkpoint, key };
};
