/**
 * The fonts that a PDF embeds. Noto Sans has Latin, Greek and Cyrillic letters; each character that it
 * lacks is taken from the first other font that has it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const require = createRequire(import.meta.url);

export type Weight = 'regular' | 'bold';

const files = {
  regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  math: require.resolve('@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf'),
  symbols: require.resolve(
    '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
  ),
  arabic: require.resolve(
    '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  ),
  han: require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  hangul: require.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
} as const;

export type FontName = keyof typeof files;

/** The other fonts, and the characters for which one is opened: a large one takes 0.5 s. */
const others: readonly (readonly [FontName, RegExp])[] = [
  ['arabic', /\p{Script_Extensions=Arabic}/u],
  ['han', /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\u3000-\u303f\uff00-\uffef]/u],
  ['hangul', /\p{Script_Extensions=Hangul}/u],
  ['math', /./su],
  ['symbols', /./su],
];

/** A part of a text whose characters all are in one font. */
export interface Run {
  readonly name: FontName;
  readonly text: string;
}

/** The fonts of one document. */
export interface Fonts {
  readonly font: (name: FontName) => Font;
  /** Returns the text in parts by font, with `missingMark` for what no font has. */
  readonly runsOf: (text: string, weight: Weight) => readonly Run[];
  /** Returns the width of a text in points at a size in points. */
  readonly widthOf: (text: string, size: number, weight: Weight) => number;
  /** Returns the characters of a text that no font has. */
  readonly missingIn: (text: string) => readonly string[];
}

/** Shown instead of a character that the fonts lack. */
export const missingMark = '\ufffd';

/** Returns a text with composed letters and without invisible characters. */
export const composed = (text: string): string =>
  text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

const bytesByName = new Map<FontName, Buffer>();

/** Reads a font's file, once in a process. */
const bytesOf = (name: FontName): Buffer => {
  const bytes = bytesByName.get(name) ?? readFileSync(files[name]);
  bytesByName.set(name, bytes);
  return bytes;
};

/**
 * Opens the fonts of one document, each when it is needed. They are parsed for each: fontkit keeps
 * the glyphs of a font with the characters that first used them, so the bytes of a document would
 * depend on the documents before it.
 */
export const openFonts = (): Fonts => {
  const font = once((name: FontName) => create(bytesOf(name)) as Font);
  const has = (name: FontName, character: string): boolean =>
    font(name).hasGlyphForCodePoint(character.codePointAt(0)!);
  const otherOf = once(
    (character: string) =>
      others.find(([name, wanted]) => wanted.test(character) && has(name, character))?.[0],
  );
  const nameOf = (character: string, weight: Weight, before?: FontName): FontName | undefined => {
    // marks and spaces stay with the word that they belong to
    if (before && /[\p{M}\s]/u.test(character) && has(before, character)) return before;
    return has('regular', character) ? weight : otherOf(character);
  };
  const runsOf = (text: string, weight: Weight): readonly Run[] => {
    const runs: { name: FontName; text: string }[] = [];
    for (const character of text) {
      const last = runs.at(-1);
      const name = nameOf(character, weight, last?.name);
      const [of, shown] = name ? [name, character] : [weight, missingMark];
      if (last?.name === of) {
        last.text += shown;
        continue;
      }
      const space = last ? takeSpace(last) : '';
      if (of === weight) runs.push({ name: of, text: space + shown });
      else runs.push({ name: weight, text: space }, { name: of, text: shown });
    }
    return runs.filter(({ text: shown }) => shown !== '');
  };
  const advanceOf = once((key: string) => {
    const [name, codePoint] = key.split(' ') as [FontName, string];
    const { unitsPerEm } = font(name);
    return font(name).glyphForCodePoint(Number(codePoint)).advanceWidth / unitsPerEm;
  });
  const widthOfRun = ({ name, text }: Run): number => {
    if (name === 'arabic') return font(name).layout(text).advanceWidth / font(name).unitsPerEm;
    let width = 0;
    for (const character of text) width += advanceOf(`${name} ${character.codePointAt(0)}`);
    return width;
  };
  return {
    font,
    runsOf,
    widthOf: (text, size, weight) =>
      runsOf(text, weight).reduce((width, run) => width + widthOfRun(run), 0) * size,
    missingIn: (text) => [...text].filter((character) => !nameOf(character, 'regular')),
  };
};

/** Takes the spaces at the end of a run: from right to left they would be displayed at its left. */
const takeSpace = (run: { text: string }): string => {
  const kept = run.text.trimEnd();
  const space = run.text.slice(kept.length);
  run.text = kept;
  return space;
};

/** Returns the function with its results stored by their argument. */
const once = <Key, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const values = new Map<Key, Value>();
  return (key) => {
    if (!values.has(key)) values.set(key, compute(key));
    return values.get(key)!;
  };
};
