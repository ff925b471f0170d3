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
export const pngPixels = pngChunk('IDAT', deflateSync(Buffer.alloc(2)));
export const pngEnd = pngChunk('IEND');

export const pngHeader = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  return pngChunk('IHDR', data);
};

/** Returns a gray PNG picture with chunks before its pixels. */
export const png = (chunks: readonly Buffer[] = [], width = 1, height = 1): Buffer =>
  Buffer.concat([pngSignature, pngHeader(width, height), ...chunks, pngPixels, pngEnd]);

/** Returns a JPEG segment with its length. */
export const jpegSegment = (marker: number, content: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

export const jpegFrame = (marker: number, width: number, height: number): Buffer => {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return jpegSegment(marker, content);
};

/** A scan whose data has a stuffed 0xff and a restart marker. */
export const jpegScan = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
]);
export const jpegStart = Buffer.from([0xff, 0xd8]);
export const jpegEnd = Buffer.from([0xff, 0xd9]);

/** Returns a gray JPEG picture with segments before its frame. */
export const jpeg = (segments: readonly Buffer[] = [], width = 1, height = 1): Buffer =>
  Buffer.concat([jpegStart, ...segments, jpegFrame(0xc0, width, height), jpegScan, jpegEnd]);
