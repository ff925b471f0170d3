import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { concat } from '../bytes.ts';
import type { ProofVerdict } from '../proof/history-verdict.ts';
import { fromUtf8 } from '../proof/proof-file.ts';
import { readTrustedKeys, type TrustedKey } from '../proof/signed-checkpoint.ts';
import { type Seen, verifyEvents, verifyProof } from '../proof/verify-proof.ts';
import { readJson } from '../read-json.ts';
import { Rejection } from '../rejection.ts';
import { type Arguments, WrongUsage } from './arguments.ts';

/**
 * Reads the files named on the command line and judges the custody history.
 * @throws WrongUsage if a file cannot be read, an option's file is malformed, or the file is a list
 *   of events and --order is missing.
 */
export const judgeFile = async (given: Arguments): Promise<ProofVerdict> => {
  const bytes = await readBytes(given.file);
  if (given.order !== undefined) return verifyEvents(bytes, given.order, given.seenHead);
  if (/^\s*\[/.test(new TextDecoder().decode(bytes.subarray(0, 100))))
    throw new WrongUsage('this is a list of events: --order must name the order');
  return await verifyProof(bytes, {
    trustedKeys: await trustedKeysOf(given),
    seen: await readSeen(given),
    witnesses: given.witnesses,
  });
};

const trustedKeysOf = async ({ keys, keysFile }: Arguments): Promise<readonly TrustedKey[]> => {
  return keysFile === undefined ? keys : [...keys, ...(await readKeysFile(keysFile))];
};

/**
 * Returns the keys in a copy of `/custody/keys.json`.
 * @throws WrongUsage if the file cannot be read or is malformed.
 */
export const readKeysFile = (path: string): Promise<TrustedKey[]> =>
  usable(path, (text) => {
    const { keys: rows } = (readJson(text) ?? {}) as { keys?: unknown };
    if (!Array.isArray(rows)) throw new Rejection('keys is not an array');
    readTrustedKeys(rows);
    return rows as TrustedKey[];
  });

const readSeen = async ({ seenHead, seenCheckpoint }: Arguments): Promise<Seen> => {
  if (seenCheckpoint === undefined) return { head: seenHead };
  return await usable(seenCheckpoint, (text) => {
    if (!text.startsWith('{')) return { head: seenHead, checkpoint: text };
    const { checkpoint, consistency } = readJson(text) as Seen;
    return { head: seenHead, checkpoint: checkpoint ?? '', consistency };
  });
};

/** Reads a file that an option names. An error in that file is wrong usage, not a verdict. */
const usable = async <T>(path: string, read: (text: string) => T): Promise<T> => {
  const bytes = await readBytes(path);
  try {
    return read(fromUtf8(bytes));
  } catch (error) {
    if (error instanceof Rejection) throw new WrongUsage(`${path}: ${error.message}`);
    throw error;
  }
};

/**
 * Maximum size of a file in bytes: about a million entries with a payload each. The text of such a
 * file is shorter than the longest JavaScript string, 536,870,888 characters.
 */
const bytesMax = 500_000_000;

/**
 * Reads the bytes of a file, or of standard input for `-`.
 * @throws WrongUsage if the file cannot be read or is too large.
 */
const readBytes = async (path: string): Promise<Uint8Array> => {
  const source: Readable = path === '-' ? process.stdin : createReadStream(path);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytesMax) throw new WrongUsage(`larger than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new WrongUsage(`${path} cannot be read: ${(error as Error).message}`);
  }
  return concat(...chunks);
};
