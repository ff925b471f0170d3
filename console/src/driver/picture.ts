/** The one file of a handover: a photo, a signature, or the photo with a strip that has the signature. */
import type { Picture } from './steps.ts';

/** Longest side in pixels, bytes that a photo should have, and qualities that are tried for it. */
const [sideMax, bytesMax, qualities] = [1600, 300_000, [0.8, 0.65, 0.5, 0.35]];
/** Height of the strip in parts of the picture's width, and the part of the signature in it. */
const [stripPart, signaturePart] = [0.22, 0.6];

/** Reads a photo upright. @throws if the browser cannot read it. */
export const readPhoto = (file: Blob): Promise<ImageBitmap> =>
  createImageBitmap(file, { imageOrientation: 'from-image' });

/**
 * Returns the file; null without photo and signature. It is drawn again, so nothing of the camera's own
 * data (place, time, device) is in it.
 * @param words below a signature: who and when.
 */
export const pictureOf = async (
  photo: ImageBitmap | null,
  signature: HTMLCanvasElement | null,
  words: readonly string[],
): Promise<Picture | null> => {
  if (!photo) return signature && toFile(signature, 'image/png', 1);
  const scale = Math.min(1, sideMax / Math.max(photo.width, photo.height));
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
  const strip = signature ? Math.round(Math.max(width * stripPart, 90)) : 0;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height + strip];
  const context = canvas.getContext('2d')!;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(photo, 0, 0, width, height);
  if (signature) {
    const drawn = width * signaturePart;
    const fit = Math.min(drawn / signature.width, strip / signature.height);
    context.drawImage(signature, 0, height, signature.width * fit, signature.height * fit);
    context.fillStyle = 'black';
    context.font = `${Math.round(strip / 5)}px sans-serif`;
    for (const [at, text] of words.entries())
      context.fillText(text, drawn + 8, height + (strip / 4) * (at + 1.3), width - drawn - 16);
  }
  for (const quality of qualities) {
    const made = await toFile(canvas, 'image/jpeg', quality);
    if (made.content.length <= bytesMax || quality === qualities.at(-1)) return made;
  }
  return null;
};

const toFile = async (
  canvas: HTMLCanvasElement,
  mediaType: Picture['mediaType'],
  quality: number,
): Promise<Picture> => {
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, mediaType, quality));
  if (!blob) throw new Error('the browser made no picture');
  return { content: new Uint8Array(await blob.arrayBuffer()), mediaType };
};
