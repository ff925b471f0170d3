import { pngEnd, pngHeader, pngPixels, pngSignature } from '@pto/testing';

/** Returns a gray PNG picture with chunks before its pixels. */
export const png = (chunks: readonly Buffer[] = [], width = 1, height = 1): Buffer =>
  Buffer.concat([pngSignature, pngHeader(width, height), ...chunks, pngPixels(), pngEnd]);

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
const jfif = jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'));
export const jpegStart = Buffer.concat([Buffer.from([0xff, 0xd8]), jfif]);
export const jpegEnd = Buffer.from([0xff, 0xd9]);

/** Returns a gray JPEG picture with segments before its frame. */
export const jpeg = (segments: readonly Buffer[] = [], width = 1, height = 1): Buffer =>
  Buffer.concat([jpegStart, ...segments, jpegFrame(0xc0, width, height), jpegScan, jpegEnd]);
