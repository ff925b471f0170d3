import { crc32 } from 'node:zlib';
import { checkPixels } from './pixels.ts';
import { reject } from './reject.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length of a chunk without its data: length, type and CRC, 4 bytes each. */
const frame = 12;
const critical: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/**
 * Checks the structure of a PNG picture, without its pixels.
 *
 * Ancillary chunks, also texts (tEXt, zTXt, iTXt), are accepted: phones and screenshot tools write
 * them, and no program runs their content. An artifact is served as attachment with its checked
 * media type and `nosniff` only, so no browser reads a text of it as HTML.
 * @throws Failure for a broken chunk, an unknown critical chunk, too many pixels, or data after the
 *   end.
 */
export const checkPng = (bytes: Buffer): void => {
  if (!bytes.subarray(0, signature.length).equals(signature))
    reject('the content is not a PNG picture: send its media type, or a PNG picture');
  let pixels = false;
  for (let at = signature.length; ; ) {
    const chunk = chunkAt(bytes, at);
    const { type, data, end } = chunk;
    if ((at === signature.length) !== (type === 'IHDR'))
      reject('a PNG picture begins with one IHDR chunk: export the picture again');
    if (type === 'IHDR') checkHeader(data);
    if (type === 'IDAT') pixels = true;
    if (type === 'IEND') {
      if (data.length > 0) reject('the IEND chunk of the PNG picture is not empty');
      if (!pixels) reject('the PNG picture has no IDAT chunk: export the picture again');
      if (end < bytes.length)
        reject(`${bytes.length - end} bytes follow the end of the PNG picture: remove them`);
      return;
    }
    at = end;
  }
};

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** Offset of the next chunk. */
  readonly end: number;
}

const chunkAt = (bytes: Buffer, at: number): Chunk => {
  const length = at + frame <= bytes.length ? bytes.readUInt32BE(at) : 0;
  const end = at + frame + length;
  if (end > bytes.length) reject('the PNG picture ends before its IEND chunk: send all its bytes');
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) reject(`the PNG chunk at byte ${at} has no valid type`);
  // a critical chunk has an uppercase first letter
  if (/^[A-Z]/.test(type) && !critical.has(type))
    reject(`the PNG picture has the unknown critical chunk ${type}: export the picture again`);
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
    reject(`the PNG chunk ${type} at byte ${at} has a wrong CRC: send the picture again`);
  return { type, data: bytes.subarray(at + 8, end - 4), end };
};

const checkHeader = (data: Buffer): void => {
  if (data.length !== 13) reject(`the IHDR chunk has ${data.length} bytes instead of 13`);
  checkPixels(data.readUInt32BE(0), data.readUInt32BE(4));
};
