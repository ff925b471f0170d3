import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { concat } from '../bytes/concat.ts';
import { WrongUsage } from './wrong-usage.ts';

/**
 * Maximum size of a file in bytes: about a million entries with a payload each. The text of such a
 * file is shorter than the longest JavaScript string, 536,870,888 characters.
 */
const bytesMax = 500_000_000;

/**
 * Reads the bytes of a file, or of standard input for `-`.
 * @throws WrongUsage if the file cannot be read or is too large.
 */
export const readBytes = async (path: string): Promise<Uint8Array> => {
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
