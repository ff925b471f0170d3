import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { pngChunk } from '@pto/testing';
import { PDFDocument } from 'pdf-lib';
import { artifactMaxBytes, inspectArtifact } from '../src/index.ts';
import { jpeg, jpegEnd, jpegFrame, jpegScan, jpegSegment, jpegStart, png } from './pictures.ts';

const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n');
const page = Buffer.from('<!doctype html><script>alert(1)</script>');

test('an artifact is named by the SHA-256 of its bytes', async () => {
  const bytes = png();
  expect(await inspectArtifact(new Uint8Array(bytes), 'image/png')).toEqual({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    mediaType: 'image/png',
  });
});

test('an artifact has at most 5 MiB', async () => {
  const ofSize = (size: number) => png([pngChunk('prVt', Buffer.alloc(size - png().length - 12))]);
  expect((await inspectArtifact(ofSize(artifactMaxBytes), 'image/png')).size).toBe(5_242_880);
  await expect(inspectArtifact(ofSize(artifactMaxBytes + 1), 'image/png')).rejects.toThrow(
    'the file has 5242881 bytes: send at most 5242880 bytes',
  );
});

test('an empty file is rejected', async () => {
  await expect(inspectArtifact(Buffer.alloc(0), 'image/png')).rejects.toThrow('the file is empty');
});

test.each([
  'image/svg+xml',
  'text/html',
  'image/gif',
  'image/PNG',
  'image/png; x=y',
  '',
  'toString',
])('the media type "%s" is rejected', async (mediaType) => {
  await expect(inspectArtifact(png(), mediaType)).rejects.toThrow(
    'expected the media type image/png, image/jpeg, application/pdf',
  );
});

test.each([
  ['image/png', [jpeg(), pdf, gif, page]],
  ['image/jpeg', [png(), pdf, gif, page]],
  ['application/pdf', [png(), jpeg(), gif, page]],
])('a file of another type than %s is rejected', async (mediaType, files) => {
  for (const file of files)
    for (const bytes of [file, Buffer.concat([file, png()])])
      await expect(inspectArtifact(bytes, mediaType)).rejects.toThrow('the content is not a');
});

const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), jpeg()]));
const xmp = jpegSegment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'));
const icc = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01'));
const comment = jpegSegment(0xfe, Buffer.from('<script>'));
const gainMap = jpegSegment(0xe2, Buffer.from('MPF\0II*\0'));
const texts = ['gAMA', 'eXIf', 'iCCP', 'tEXt', 'zTXt', 'iTXt', 'acTL'].map((type) =>
  pngChunk(type, Buffer.alloc(8)),
);

test.each([
  ['a PNG picture with metadata and texts, also an animated one', 'image/png', png(texts)],
  [
    'a JPEG picture with Exif, thumbnail, XMP and a profile',
    'image/jpeg',
    jpeg([exif, xmp, icc, comment]),
  ],
  [
    'a JPEG picture with a gain map, as phones write it',
    'image/jpeg',
    Buffer.concat([jpeg([gainMap]), jpeg()]),
  ],
  [
    'a progressive JPEG picture',
    'image/jpeg',
    Buffer.concat([jpegStart, jpegFrame(0xc2, 1, 1), jpegScan, jpegScan, jpegEnd]),
  ],
])('%s is accepted', async (_, mediaType, bytes) => {
  expect(await inspectArtifact(bytes, mediaType)).toMatchObject({ size: bytes.length, mediaType });
});

test('a PDF document is accepted', async () => {
  const document = await PDFDocument.create();
  document.addPage().drawText('Protocol of the handover');
  const bytes = await document.save();
  expect((await inspectArtifact(bytes, 'application/pdf')).mediaType).toBe('application/pdf');
});

test.each([
  ['image/png', (width: number, height: number) => png([], width, height)],
  ['image/jpeg', (width: number, height: number) => jpeg([], width, height)],
] as const)('a picture of %s has 1 to 40 million pixels', async (mediaType, of) => {
  await inspectArtifact(of(8000, 5000), mediaType);
  for (const [width, height, reason] of [
    [8001, 5000, '8001 x 5000 pixels'],
    [0, 1, 'dimensions'],
    [1, 0, 'dimensions'],
  ] as const)
    await expect(inspectArtifact(of(width, height), mediaType)).rejects.toThrow(reason);
});

test('a picture that ends before its dimensions is rejected', async () => {
  for (const [mediaType, bytes] of [
    ['image/png', png()],
    ['image/jpeg', jpeg([exif])],
  ] as const)
    for (const length of [3, 4, 8, 12, 20])
      await expect(inspectArtifact(bytes.subarray(0, length), mediaType)).rejects.toThrow(
        'artifact: ',
      );
});

test('a rejection does not repeat the content', async () => {
  const rejected = await inspectArtifact(Buffer.from('<canary>'), 'application/pdf').catch(
    (error) => error,
  );
  expect(rejected).toMatchObject({ kind: 'VALIDATION' });
  expect(JSON.stringify([rejected, `${rejected}`])).not.toContain('canary');
});
