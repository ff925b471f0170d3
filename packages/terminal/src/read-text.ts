/** Texts that a person gives to a command: files and standard input. All of them are UTF-8. */
import { createReadStream, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';

/**
 * A text cannot be read: exit code 2. The message names the source, the place and what to do, and
 * has nothing of the content.
 */
export class UnreadableText extends Error {}

/** Maximum size of a text in bytes: far more than any body or file of readings that the API takes. */
const bytesMax = 16 * 1024 * 1024;

/** Returns the text of a file, without a byte order mark. @throws UnreadableText */
export const readTextFile = async (path: string): Promise<string> => {
  try {
    return await readTextStream(createReadStream(path), path);
  } catch (error) {
    throw unreadable(error, path);
  }
};

/** Does the same at once, for small files of the program itself. @throws UnreadableText */
export const readTextFileSync = (path: string): string => {
  try {
    return textOf(readFileSync(path), path);
  } catch (error) {
    throw unreadable(error, path);
  }
};

/**
 * Returns the text of a stream, without a byte order mark.
 * @param name the source in messages, such as `standard input`.
 * @param max maximum size in bytes
 * @throws UnreadableText, or the error of the stream.
 */
export const readTextStream = async (
  source: Readable,
  name: string,
  max = bytesMax,
): Promise<string> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of source as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > max) throw new UnreadableText(`${name} is larger than ${max} bytes.`);
    parts.push(part);
  }
  return textOf(Buffer.concat(parts), name);
};

/**
 * Decodes UTF-8, and drops a byte order mark. A decoder that replaces wrong bytes would send
 * another text than the file has.
 * @throws UnreadableText with the line and the byte of the first character that is not UTF-8.
 */
export const textOf = (bytes: Uint8Array, name: string): string => {
  const foreign = foreignEncoding(bytes);
  if (foreign) throw new UnreadableText(`${name} is ${foreign}, not UTF-8. ${advice}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableText(`${name} is not UTF-8: ${placeOfFault(bytes)}. ${advice}`);
  }
};

const advice = 'Save it with the encoding UTF-8, then execute the command again.';

/** Names an encoding of two or four bytes per character: by its mark, or by the zero bytes of ASCII. */
const foreignEncoding = (bytes: Uint8Array): string | null => {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (mark === 'fffe0000' || mark === '0000feff') return 'UTF-32';
  if (mark.startsWith('fffe') || mark.startsWith('feff')) return 'UTF-16';
  const isZero = (place: number) => bytes[place] === 0;
  return (isZero(0) && isZero(2)) || (isZero(1) && isZero(3)) ? 'UTF-16' : null;
};

/** Returns the place of the first character that is not UTF-8; lines from 1, bytes from 0. */
const placeOfFault = (bytes: Uint8Array): string => {
  let [valid, invalid] = [0, bytes.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (beginning(bytes, middle) === null) invalid = middle;
    else valid = middle;
  }
  const text = beginning(bytes, valid) ?? '';
  return `line ${text.split('\n').length}, byte ${Buffer.byteLength(text)}`;
};

/** Returns the complete characters of the first bytes; null if one of them is not UTF-8. */
const beginning = (bytes: Uint8Array, length: number): string | null => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return null;
  }
};

/** Returns the error of the file system as an UnreadableText. */
const unreadable = (error: unknown, path: string): Error =>
  error instanceof UnreadableText
    ? error
    : new UnreadableText(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
