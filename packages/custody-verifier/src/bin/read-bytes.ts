import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { concat } from '../bytes/concat.ts';
import { WrongUsage } from './wrong-usage.ts';

/** A million entries with a payload each; a longer text is no JavaScript string any more. */
const bytesMax = 500_000_000;

/**
 * The bytes of a file, or of standard input for `-`.
 * @throws WrongUsage
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
