import { hash } from 'node:crypto';
import { invalid } from '@pto/errors';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';

/** Maximum size of an artifact: 5 MiB. */
export const artifactMaxBytes = 5 * 1024 * 1024;

/** Maximum number of pixels. A small file can declare gigabytes of pixels (decompression bomb). */
const pixelsMax = 40_000_000;

/** The permitted media types, each with what it is called. */
const kinds = {
  'image/png': 'PNG picture',
  'image/jpeg': 'JPEG picture',
  'application/pdf': 'PDF document',
} as const;

export type ArtifactMediaType = keyof typeof kinds;

export interface Artifact {
  /** SHA-256 of the bytes in lowercase hex. */
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: ArtifactMediaType;
}

/**
 * Checks by content that the bytes are of the declared media type, and that a picture has at most 40
 * million pixels. The check is about the beginning of the file: it decodes no pixels and draws no page.
 * Serve an artifact as attachment with this media type, `nosniff` and a policy with `sandbox` only.
 * @throws Failure (VALIDATION) with the reason. It does not repeat the content.
 */
export const inspectArtifact = async (bytes: Uint8Array, mediaType: string): Promise<Artifact> => {
  if (!isMediaType(mediaType))
    throw invalid(
      ['artifact'],
      `expected the media type ${Object.keys(kinds).join(', ')}`,
      mediaType,
    );
  const { length: size } = bytes;
  if (size === 0) throw reject('the file is empty: send its bytes');
  if (size > artifactMaxBytes)
    throw reject(`the file has ${size} bytes: send at most ${artifactMaxBytes} bytes`);
  const kind = kinds[mediaType];
  if ((await typeOf(bytes)) !== mediaType)
    throw reject(`the content is not a ${kind}: send its media type, or a ${kind}`);
  if (mediaType !== 'application/pdf') checkPixels(bytes, kind);
  return { sha256: hash('sha256', bytes), size, mediaType };
};

const isMediaType = (text: string): text is ArtifactMediaType => Object.hasOwn(kinds, text);

/** Returns the media type of the content; an animated PNG picture is one, too. */
const typeOf = async (bytes: Uint8Array): Promise<string | undefined> => {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return found?.mime === 'image/apng' ? 'image/png' : found?.mime;
};

const checkPixels = (bytes: Uint8Array, kind: string): void => {
  const { width, height } = sizeOf(bytes, kind);
  if (!(width > 0 && height > 0))
    throw reject(
      `the picture's dimensions are ${width} x ${height}: export it with a width and height`,
    );
  if (width * height > pixelsMax)
    throw reject(
      `the picture has ${width} x ${height} pixels: scale it to at most 40 million pixels`,
    );
};

const sizeOf = (bytes: Uint8Array, kind: string) => {
  try {
    return imageSize(new Uint8Array(bytes)); // a copy: it reads beyond the end of a view
  } catch {
    throw reject(`the ${kind} has no dimensions: export it again`);
  }
};

const reject = (reason: string) => invalid(['artifact'], reason);
