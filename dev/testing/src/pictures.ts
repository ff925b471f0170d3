/** Pictures of a few bytes, for tests. */
import { crc32, deflateSync } from 'node:zlib';

/** Returns a PNG chunk with its length and CRC. */
export const pngChunk = (type: string, data: Uint8Array = Buffer.alloc(0)): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
};

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
export const pngEnd = pngChunk('IEND');

/** @param shade of one pixel, 0 to 255. */
export const pngPixels = (shade = 0): Buffer =>
  pngChunk('IDAT', deflateSync(Buffer.from([0, shade])));

export const pngHeader = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  return pngChunk('IHDR', data);
};

/** Returns a PNG picture of one gray pixel. Another shade is another file. */
export const pngPicture = (shade = 0): Buffer =>
  Buffer.concat([pngSignature, pngHeader(1, 1), pngPixels(shade), pngEnd]);
