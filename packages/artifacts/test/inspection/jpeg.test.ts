import { expect, test } from '@jest/globals';
import { inspectArtifact } from '../../src/index.ts';
import { jpeg, jpegEnd, jpegFrame, jpegScan, jpegSegment, jpegStart } from './pictures.ts';

const inspect = (...parts: readonly Buffer[]) =>
  inspectArtifact(Buffer.concat(parts), 'image/jpeg');

const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), jpeg()]));
const xmp = jpegSegment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'));
const icc = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01'));
const comment = jpegSegment(0xfe, Buffer.from('<script>'));

test('a JPEG picture with Exif, thumbnail, XMP, ICC profile and comment is accepted', () => {
  const bytes = jpeg([exif, xmp, icc, comment]);
  expect(inspect(bytes)).toMatchObject({ size: bytes.length, mediaType: 'image/jpeg' });
});

test('a progressive JPEG picture of many scans is accepted', () => {
  const scans = Array.from({ length: 10 }, () => jpegScan);
  inspect(jpegStart, jpegFrame(0xc2, 1, 1), ...scans, Buffer.of(0xff, 0xff), jpegEnd);
});

test('a JPEG picture has at most 40 million pixels', () => {
  inspect(jpeg([], 8000, 5000));
  expect(() => inspect(jpeg([], 8001, 5000))).toThrow('8001 x 5000 pixels');
});

test.each([
  [0, 1],
  [1, 0],
])('a JPEG picture of %i x %i pixels is rejected', (width, height) => {
  expect(() => inspect(jpeg([], width, height))).toThrow(`dimensions are ${width} x ${height}`);
});

test('a byte or a second picture after the end of a JPEG picture is rejected', () => {
  expect(() => inspect(jpeg(), Buffer.of(0))).toThrow('1 bytes follow the end');
  expect(() => inspect(jpeg(), jpeg())).toThrow('export it as a plain JPEG');
});

test('a JPEG picture that is cut off anywhere is rejected', () => {
  const bytes = jpeg([exif]);
  for (let length = 0; length < bytes.length; length++)
    expect(() => inspect(bytes.subarray(0, length))).toThrow('artifact: ');
});

test.each([
  ['no scan', 'no scan', [jpegFrame(0xc0, 1, 1)]],
  ['no frame', 'no dimensions', [jpegScan]],
  ['two frames', 'more than one frame', [jpegFrame(0xc0, 1, 1), jpegFrame(0xc0, 9000, 9000)]],
  ['a lossless frame', 'lossless', [jpegFrame(0xc3, 1, 1), jpegScan]],
  ['a short frame', 'too short', [jpegSegment(0xc0, Buffer.alloc(5)), jpegScan]],
  ['a second start', 'unexpected marker', [jpegStart, jpegFrame(0xc0, 1, 1), jpegScan]],
  ['bytes between segments', 'no marker', [comment, Buffer.of(0x20), jpegScan]],
  ['a segment of length 1', 'has the length 1', [Buffer.of(0xff, 0xe0, 0, 1)]],
])('a JPEG picture with %s is rejected', (_, message, segments) => {
  expect(() => inspect(jpegStart, ...segments, jpegEnd)).toThrow(message);
});

const multi = jpegSegment(0xe2, Buffer.from('MPF\0II*\0'));

test('a JPEG picture that announces further pictures may have them, as phones write a gain map', () => {
  const bytes = Buffer.concat([jpeg([multi]), jpeg(), jpeg([exif])]);
  expect(inspect(bytes)).toMatchObject({ size: bytes.length });
});

test('what follows an announced picture is checked, too', () => {
  expect(() => inspect(jpeg([multi]), Buffer.from('<script>'))).toThrow('follow the end');
  expect(() => inspect(jpeg([multi]), jpeg(), Buffer.of(0))).toThrow('1 bytes follow the end');
  expect(() => inspect(jpeg([multi]), jpeg([], 8001, 5000))).toThrow('8001 x 5000 pixels');
});
