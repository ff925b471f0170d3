import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { type Sheet, type TextStyle, writeLines } from './sheet.ts';

const [widthMax, heightMax, gap] = [200, 90, 14];
/** A larger picture would take more memory than the thread has. */
const pixelsMax = 4_000_000;
const style: TextStyle = { size: 8, color: palette.quiet };

interface Image {
  readonly width: number;
  readonly height: number;
  readonly colorSpace?: string;
}

/** Draws a picture with its caption to the right; only the caption if the PDF cannot have it. */
export const drawPicture = (
  sheet: Sheet,
  { name, content, lines }: Extract<Block, { kind: 'picture' }>,
): void => {
  const { doc, tags } = sheet;
  const image = open(doc, content);
  sheet.need(heightMax);
  const top = sheet.y();
  const fit = image && Math.min(widthMax / image.width, heightMax / image.height, 1);
  const x = fit ? sheet.left + widthMax + gap : sheet.left;
  if (image && fit) {
    const size = { width: image.width * fit, height: image.height * fit };
    const draw = () => doc.image(image as unknown as string, sheet.left, top, size);
    tags.within('Figure', () => tags.mark(draw), { alt: name });
  }
  for (const line of [name, ...lines]) {
    const wrapped = sheet.wrap(line, sheet.left + sheet.width - x, style);
    tags.within('P', () => writeLines(sheet, wrapped, x, style));
  }
  if (image && fit) sheet.skip(Math.max(0, top + image.height * fit - sheet.y()));
  sheet.skip(6);
};

/** Returns a picture that PDF/A-3 can have: no CMYK, and none that pdfkit cannot read. */
const open = (doc: PDFKit.PDFDocument, content: Uint8Array): Image | null => {
  try {
    const { openImage } = doc as unknown as { openImage: (content: Uint8Array) => Image };
    const image = openImage.call(doc, content);
    const isSmall = image.width * image.height <= pixelsMax;
    return isSmall && image.colorSpace !== 'DeviceCMYK' ? image : null;
  } catch {
    return null;
  }
};
