import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { pngChunk } from '@pto/testing';
import { artifactMaxBytes, inspectArtifact } from '../../src/index.ts';
import { jpeg, png } from './pictures.ts';

const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n');
const page = Buffer.from('<!doctype html><script>alert(1)</script>');

test('an artifact is named by the SHA-256 of its bytes', () => {
  const bytes = png();
  expect(inspectArtifact(new Uint8Array(bytes), 'image/png')).toEqual({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    mediaType: 'image/png',
  });
});

test('an artifact has at most 5 MiB', () => {
  const ofSize = (size: number) => png([pngChunk('prVt', Buffer.alloc(size - png().length - 12))]);
  expect(inspectArtifact(ofSize(artifactMaxBytes), 'image/png').size).toBe(5_242_880);
  expect(() => inspectArtifact(ofSize(artifactMaxBytes + 1), 'image/png')).toThrow(
    'the file has 5242881 bytes: send at most 5242880 bytes',
  );
});

test('an empty file is rejected', () => {
  expect(() => inspectArtifact(Buffer.alloc(0), 'image/png')).toThrow('the file is empty');
});

test.each([
  'image/svg+xml',
  'text/html',
  'image/gif',
  'image/PNG',
  'image/png; x=y',
  '',
  'toString',
])('the media type "%s" is rejected', (mediaType) => {
  expect(() => inspectArtifact(png(), mediaType)).toThrow(
    'expected the media type image/png, image/jpeg, application/pdf',
  );
});

test.each([
  ['image/png', [jpeg(), pdf, gif, page]],
  ['image/jpeg', [png(), pdf, gif, page]],
  ['application/pdf', [png(), jpeg(), gif, page]],
])('a file of another type than %s is rejected', (mediaType, files) => {
  for (const file of files) {
    expect(() => inspectArtifact(file, mediaType)).toThrow('the content is not a');
    expect(() => inspectArtifact(Buffer.concat([file, png()]), mediaType)).toThrow();
  }
});

test('a rejection does not repeat the content', () => {
  const bytes = Buffer.from('%PDF-1.7\n1 0 obj<</Secret(canary)/JS(canary)>>endobj\n%%EOF');
  try {
    inspectArtifact(bytes, 'application/pdf');
    throw new Error('it was accepted');
  } catch (error) {
    expect(error).toMatchObject({ kind: 'VALIDATION' });
    expect(JSON.stringify([error, `${error}`])).not.toContain('canary');
  }
});
