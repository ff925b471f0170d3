import { hash } from 'node:crypto';
import { invalid } from '@pto/errors';
import { checkJpeg } from './jpeg.ts';
import { checkPdf } from './pdf/pdf.ts';
import { checkPng } from './png.ts';
import { reject } from './reject.ts';

/** Maximum size of an artifact: 5 MiB. */
export const artifactMaxBytes = 5 * 1024 * 1024;

const checks = {
  'image/png': checkPng,
  'image/jpeg': checkJpeg,
  'application/pdf': checkPdf,
} as const;

export type ArtifactMediaType = keyof typeof checks;

export interface Artifact {
  /** SHA-256 of the bytes in lowercase hex. */
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: ArtifactMediaType;
}

/**
 * Checks by content that the bytes are a harmless file of the declared media type.
 *
 * The check is about structure: it decodes no pixels and draws no page. Serve an artifact as
 * attachment with this media type and `nosniff` only.
 * @throws Failure (VALIDATION) with the reason. It does not repeat the content.
 */
export const inspectArtifact = (bytes: Uint8Array, mediaType: string): Artifact => {
  if (!isMediaType(mediaType))
    throw invalid(
      ['artifact'],
      `expected the media type ${Object.keys(checks).join(', ')}`,
      mediaType,
    );
  const { length: size } = bytes;
  if (size === 0) reject('the file is empty: send its bytes');
  if (size > artifactMaxBytes)
    reject(`the file has ${size} bytes: send at most ${artifactMaxBytes} bytes`);
  checks[mediaType](Buffer.from(bytes.buffer, bytes.byteOffset, size));
  return { sha256: hash('sha256', bytes), size, mediaType };
};

const isMediaType = (text: string): text is ArtifactMediaType => Object.hasOwn(checks, text);
