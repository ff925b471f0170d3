import type { Faces, Weight } from './fonts.ts';
import { encodable, missingMark } from './fonts.ts';
import { wrapText } from './wrap.ts';

/** A4 in points, and its margins. */
const page = { width: 595.28, height: 841.89, left: 42, right: 42, top: 44, bottom: 60 };

export interface TextStyle {
  readonly size: number;
  readonly weight?: Weight;
  readonly color: string;
}

/** Lines of text that fit the width which they were wrapped for. */
export type Lines = readonly string[];

/** Writes from the top of a page to its bottom, and continues on the next page. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly faces: Faces;
  readonly left: number;
  readonly width: number;
  /** Height of the space for content on an empty page. */
  readonly pageHeight: number;
  /** Position of the next line, in points from the top of the page. */
  readonly y: () => number;
  /** Height of the space below that position. */
  readonly remaining: () => number;
  readonly skip: (height: number) => void;
  /** Begins a new page if the height does not fit. Returns whether it did. */
  readonly need: (height: number) => boolean;
  readonly wrap: (text: string, width: number, style: TextStyle) => Lines;
  /** Writes one line with its top at y. */
  readonly put: (line: string, x: number, y: number, style: TextStyle) => void;
  /** Whether a character was replaced because the fonts lack it. */
  readonly hasMissing: () => boolean;
}

/** Returns the height of a line in points. */
export const lineHeight = ({ size }: TextStyle): number => size * 1.36;

/** Opens a document of A4 pages for writing. */
export const openSheet = (doc: PDFKit.PDFDocument, faces: Faces): Sheet => {
  const bottom = page.height - page.bottom;
  let y = page.top;
  let hasMissing = false;
  doc.addPage();
  return {
    doc,
    faces,
    left: page.left,
    width: page.width - page.left - page.right,
    pageHeight: bottom - page.top,
    y: () => y,
    remaining: () => bottom - y,
    skip: (height) => {
      y += height;
    },
    need: (height) => {
      if (y + height <= bottom || y === page.top) return false;
      doc.addPage();
      y = page.top;
      return true;
    },
    wrap: (text, width, { size, weight = 'regular' }) => {
      const shown = encodable(faces, text);
      hasMissing ||= shown.includes(missingMark);
      return wrapText(shown, width, (part) => faces[weight].widthOf(part, size));
    },
    put: (line, x, top, { size, weight = 'regular', color }) => {
      if (line === '') return;
      doc.font(weight).fontSize(size).fillColor(color);
      doc.text(line, x, top, { lineBreak: false });
    },
    hasMissing: () => hasMissing,
  };
};

/** Writes lines below one another, and continues on the next page. */
export const writeLines = (sheet: Sheet, lines: Lines, x: number, style: TextStyle): void => {
  for (const line of lines) {
    sheet.need(lineHeight(style));
    sheet.put(line, x, sheet.y(), style);
    sheet.skip(lineHeight(style));
  }
};
