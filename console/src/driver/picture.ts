/** The one file of a handover: a photo, a signature, or the photo with a strip that has the signature. */
import type { Picture } from './steps.ts';

/** Longest side in pixels, bytes that a photo should have, and qualities that are tried for it. */
const [sideMax, bytesMax, qualities] = [1600, 300_000, [0.8, 0.65, 0.5, 0.35]];
/** Height of the strip in parts of the picture's width, and the part of the signature in it. */
const [stripPart, signaturePart] = [0.22, 0.6];

/**
 * Returns a photo upright and smaller. It is drawn again, so nothing of the camera's own data (place,
 * time, device) is in it.
 * @throws if the browser cannot read it.
 */
export const smallPhoto = async (file: Blob): Promise<File> => {
  const photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, sideMax / Math.max(photo.width, photo.height));
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
  const [canvas, context] = newCanvas(width, height);
  context.drawImage(photo, 0, 0, width, height);
  return toJpeg(canvas);
};

/**
 * Returns the file; null without photo and signature.
 * @param words below a signature on a photo: who and when.
 */
export const pictureOf = async (
  photo: File | undefined,
  signature: File | undefined,
  words: readonly string[],
): Promise<Picture | null> => {
  const file = photo && signature ? await joined(photo, signature, words) : (photo ?? signature);
  if (!file) return null;
  const mediaType = file.type as Picture['mediaType'];
  return { content: new Uint8Array(await file.arrayBuffer()), mediaType };
};

const joined = async (photo: File, signature: File, words: readonly string[]): Promise<File> => {
  const [above, below] = await Promise.all([photo, signature].map((one) => createImageBitmap(one)));
  const { width, height } = above!;
  const strip = Math.round(Math.max(width * stripPart, 90));
  const [canvas, context] = newCanvas(width, height + strip);
  context.drawImage(above!, 0, 0);
  const drawn = width * signaturePart;
  const fit = Math.min(drawn / below!.width, strip / below!.height);
  context.drawImage(below!, 0, height, below!.width * fit, below!.height * fit);
  context.fillStyle = 'black';
  context.font = `${Math.round(strip / 5)}px sans-serif`;
  for (const [at, text] of words.entries())
    context.fillText(text, drawn + 8, height + (strip / 4) * (at + 1.3), width - drawn - 16);
  return toJpeg(canvas);
};

const newCanvas = (width: number, height: number) => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d')!;
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  return [canvas, context] as const;
};

/** Returns the first one that is small enough, else the smallest. */
const toJpeg = async (canvas: HTMLCanvasElement): Promise<File> => {
  let made: Blob | null = null;
  for (const quality of qualities) {
    made = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
    if (!made) throw new Error('the browser made no picture');
    if (made.size <= bytesMax) break;
  }
  return new File([made!], 'photo.jpg', { type: 'image/jpeg' });
};
