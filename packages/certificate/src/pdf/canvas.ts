import { composed, type FontName, type Fonts, type Weight } from './fonts.ts';
import { openTags, type Tags } from './tags.ts';
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
export interface Canvas {
  readonly doc: PDFKit.PDFDocument;
  readonly tags: Tags;
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
  readonly widthOf: (text: string, style: TextStyle) => number;
  readonly wrap: (text: string, width: number, style: TextStyle) => Lines;
  /** Writes one line with its top at y. */
  readonly put: (line: string, x: number, y: number, style: TextStyle) => void;
  /** Texts that were written with a mark, and the characters that the fonts lack. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** Returns the height of a line in points. */
export const lineHeight = ({ size }: TextStyle): number => size * 1.36;

/** Distance from the top of a line to its baseline, in sizes: the ascender of Noto Sans. */
export const baseline = 1.069;

/** Opens a document of A4 pages for writing. */
export const openCanvas = (doc: PDFKit.PDFDocument, fonts: Fonts): Canvas => {
  const bottom = page.height - page.bottom;
  let y = page.top;
  const missing = new Map<string, readonly string[]>();
  const registered = new Set<FontName>();
  const useFont = (name: FontName): void => {
    if (!registered.has(name)) doc.registerFont(name, fonts.font(name) as unknown as string);
    registered.add(name);
    doc.font(name);
  };
  doc.addPage();
  const tags = openTags(doc);
  const widthOf: Canvas['widthOf'] = (text, { size, weight = 'regular' }) =>
    fonts.widthOf(text, size, weight);
  return {
    doc,
    tags,
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
    widthOf,
    wrap: (text, width, style) => {
      const shown = composed(text);
      const lacking = fonts.missingIn(shown.replaceAll('\n', ''));
      if (lacking.length > 0) missing.set(shown, lacking);
      return shown
        .split('\n')
        .flatMap((line) => wrapText(line, width, (part) => widthOf(part, style)));
    },
    put: (line, x, top, { size, weight = 'regular', color }) => {
      if (line === '') return;
      tags.mark(() => {
        let left = x;
        for (const { name, text } of fonts.runsOf(line, weight)) {
          useFont(name);
          doc.fontSize(size).fillColor(color);
          doc.text(text, left, top + baseline * size, {
            lineBreak: false,
            baseline: 'alphabetic',
          });
          left += doc.widthOfString(text);
        }
      });
    },
    missing,
  };
};

/** Writes lines below one another, and continues on the next page. */
export const writeLines = (canvas: Canvas, lines: Lines, x: number, style: TextStyle): void => {
  for (const line of lines) {
    canvas.need(lineHeight(style));
    canvas.put(line, x, canvas.y(), style);
    canvas.skip(lineHeight(style));
  }
};
