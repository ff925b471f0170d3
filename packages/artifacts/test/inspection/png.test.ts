import { expect, test } from '@jest/globals';
import { pngChunk, pngEnd, pngHeader, pngPixels, pngSignature } from '@pto/testing';
import { inspectArtifact } from '../../src/index.ts';
import { png } from './pictures.ts';

const inspect = (...parts: readonly Buffer[]) => inspectArtifact(Buffer.concat(parts), 'image/png');

test('a PNG picture with metadata and texts is accepted', () => {
  const types = ['gAMA', 'sRGB', 'pHYs', 'eXIf', 'iCCP', 'cHRM', 'tIME', 'tEXt', 'zTXt', 'iTXt'];
  const bytes = png([...types.map((type) => pngChunk(type, Buffer.from('x'))), pngChunk('PLTE')]);
  expect(inspect(bytes)).toMatchObject({ size: bytes.length, mediaType: 'image/png' });
});

test('a PNG picture has at most 40 million pixels', () => {
  inspect(png([], 8000, 5000));
  expect(() => inspect(png([], 8001, 5000))).toThrow('8001 x 5000 pixels');
  expect(() => inspect(png([], 0xffffffff, 0xffffffff))).toThrow('40 million pixels');
});

test.each([
  [0, 1],
  [1, 0],
])('a PNG picture of %i x %i pixels is rejected', (width, height) => {
  expect(() => inspect(png([], width, height))).toThrow(`dimensions are ${width} x ${height}`);
});

test('one byte after the end of a PNG picture is rejected', () => {
  expect(() => inspect(png(), Buffer.of(0))).toThrow('1 bytes follow the end');
});

test('a PNG picture that is cut off anywhere is rejected', () => {
  const bytes = png([pngChunk('gAMA', Buffer.alloc(4))]);
  for (let length = 0; length < bytes.length; length++)
    expect(() => inspect(bytes.subarray(0, length))).toThrow('artifact: ');
});

test('a changed bit in any chunk of a PNG picture is rejected', () => {
  const bytes = png();
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(() => inspect(changed)).toThrow('artifact: ');
  }
});

test.each([
  ['an unknown critical chunk', 'critical chunk ABCD', [pngHeader(1, 1), pngChunk('ABCD'), pngEnd]],
  ['a chunk type of other bytes', 'no valid type', [pngHeader(1, 1), pngChunk('a\0bc'), pngEnd]],
  ['a second header', 'one IHDR', [pngHeader(1, 1), pngHeader(1, 1), pngPixels(), pngEnd]],
  ['a chunk before the header', 'one IHDR', [pngPixels(), pngHeader(1, 1), pngEnd]],
  ['no pixels', 'no IDAT', [pngHeader(1, 1), pngEnd]],
  ['a long end', 'not empty', [pngHeader(1, 1), pngPixels(), pngChunk('IEND', Buffer.of(1))]],
  ['a short header', '12 bytes', [pngChunk('IHDR', Buffer.alloc(12)), pngPixels(), pngEnd]],
])('a PNG picture with %s is rejected', (_, message, chunks) => {
  expect(() => inspect(pngSignature, ...chunks)).toThrow(message);
});
