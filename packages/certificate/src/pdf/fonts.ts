/** The fonts that a PDF embeds: Noto Sans, with Latin, Greek and Cyrillic letters. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const require = createRequire(import.meta.url);

export type Weight = 'regular' | 'bold';

export interface Face {
  readonly font: Font;
  /** Returns the width of a text in points at a size in points. */
  readonly widthOf: (text: string, size: number) => number;
}

export type Faces = Readonly<Record<Weight, Face>>;

/** Shown instead of a character that the fonts lack. */
export const missingMark = '\ufffd';

/**
 * Returns the text as the fonts can show it: composed letters, without invisible characters, and
 * with `missingMark` for each character that the fonts lack.
 */
export const encodable = ({ regular }: Faces, text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/./gsu, (character) =>
      regular.font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : missingMark,
    );

const bytesByPath = new Map<string, Buffer>();

/** Reads a font's file, once in a process. */
const bytesOf = (path: string): Buffer => {
  const bytes = bytesByPath.get(path) ?? readFileSync(path);
  bytesByPath.set(path, bytes);
  return bytes;
};

/**
 * Returns the fonts of one document. They are parsed for each: fontkit keeps the glyphs of a font
 * with the characters that first used them, so the bytes of a document would depend on the documents
 * before it.
 */
export const openFaces = (): Faces => ({
  regular: openFace(
    require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  ),
  bold: openFace(
    require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  ),
});

const openFace = (path: string): Face => {
  const font = create(bytesOf(path)) as Font;
  const advances = new Map<number, number>();
  const advanceOf = (codePoint: number): number => {
    const known = advances.get(codePoint);
    if (known !== undefined) return known;
    const { advanceWidth } = font.glyphForCodePoint(codePoint);
    advances.set(codePoint, advanceWidth);
    return advanceWidth;
  };
  return {
    font,
    widthOf: (text, size) => {
      let units = 0;
      for (const character of text) units += advanceOf(character.codePointAt(0)!);
      return (units / font.unitsPerEm) * size;
    },
  };
};
