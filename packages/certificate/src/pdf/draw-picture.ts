import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { type Canvas, type TextStyle, writeLines } from './canvas.ts';
import { flattenPng } from './flatten-png.ts';

const [widthMax, heightMax, gap] = [200, 90, 14];
/** A larger picture would take more memory than the thread has. */
const pixelsMax = 4_000_000;
const style: TextStyle = { size: 8, color: palette.quiet };

/** A picture as pdfkit draws it. */
interface Image {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

interface Jpeg extends Image {
  readonly bits: number;
  readonly colorSpace?: string;
}

/** Draws a picture with its caption to the right; only the caption if the PDF cannot have it. */
export const drawPicture = (
  canvas: Canvas,
  { name, content, lines, notShown }: Extract<Block, { kind: 'picture' }>,
): void => {
  const { doc, tags } = canvas;
  const image = open(doc, content);
  canvas.need(heightMax);
  const top = canvas.y();
  const size = image && shownSize(image);
  const x = size ? canvas.left + widthMax + gap : canvas.left;
  if (size) {
    const draw = () => doc.image(image as unknown as string, canvas.left, top, size);
    tags.within('Figure', () => tags.mark(draw), { alt: name });
  }
  for (const line of [name, ...lines, ...(image ? [] : [notShown])]) {
    const wrapped = canvas.wrap(line, canvas.left + canvas.width - x, style);
    tags.within('P', () => writeLines(canvas, wrapped, x, style));
  }
  if (size) canvas.skip(Math.max(0, top + size.height - canvas.y()));
  canvas.skip(6);
};

/** Returns the size of a picture on the page. Exif orientations above 4 exchange the sides. */
const shownSize = ({ orientation = 1, ...image }: Image): { width: number; height: number } => {
  const [width, height] =
    orientation > 4 ? [image.height, image.width] : [image.width, image.height];
  const fit = Math.min(widthMax / width, heightMax / height, 1);
  return { width: width * fit, height: height * fit };
};

/**
 * Returns a picture that PDF/A-3 can have, or null. pdfkit gets no PNG: it would decompress the
 * pixels without a bound, throw outside of a call, and compress them again.
 */
const open = (doc: PDFKit.PDFDocument, content: Uint8Array): Image | null => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  try {
    return bytes[0] === 0x89 ? openPng(doc, bytes) : openJpeg(doc, bytes);
  } catch {
    return null;
  }
};

const openPng = (doc: PDFKit.PDFDocument, bytes: Buffer): Image => {
  const { width, height, rgb } = flattenPng(bytes, pixelsMax);
  const obj = doc.ref({
    ...{ Type: 'XObject', Subtype: 'Image', Width: width, Height: height },
    ...{ ColorSpace: 'DeviceRGB', BitsPerComponent: 8 },
  });
  obj.end(rgb);
  const image = { width, height, label: `P${obj.id}`, obj };
  return image;
};

const openJpeg = (doc: PDFKit.PDFDocument, bytes: Buffer): Image | null => {
  const { openImage } = doc as unknown as { openImage: (content: Buffer) => Jpeg };
  const image = openImage.call(doc, bytes);
  const pixels = image.width * image.height;
  const isDrawn = pixels > 0 && pixels <= pixelsMax && image.bits === 8;
  return isDrawn && ['DeviceGray', 'DeviceRGB'].includes(image.colorSpace!) ? image : null;
};
