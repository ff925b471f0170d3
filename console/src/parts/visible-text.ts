/** A part of a text; a mark stands for a character that has no picture of its own. */
export interface TextPart {
  readonly text: string;
  readonly isMark: boolean;
}

/** Characters that draw nothing, or change the direction of what follows. */
const invisible =
  /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u034F\u115F\u1160\u2800\u3164\uFFA0]/u;
/** Line breaks and tabs are drawn. */
const drawn = /[\n\r\t]/;
/** Scripts that need joiners and marks of direction. */
const needsJoiners =
  /\p{sc=Arab}|\p{sc=Hebr}|\p{sc=Syrc}|\p{sc=Thaa}|\p{sc=Mong}|\p{sc=Deva}|\p{sc=Beng}|\p{sc=Guru}|\p{sc=Gujr}|\p{sc=Taml}|\p{sc=Telu}|\p{sc=Knda}|\p{sc=Mlym}|\p{sc=Sinh}|\p{sc=Khmr}/u;
/** Joiners, marks of direction without an effect on other characters, variation selectors. */
const joiners = /\p{Variation_Selector}|[\u200C-\u200F]|\u061C/u;
const blank = /^\s$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const nameOf = (character: string): string =>
  `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Returns a text with a mark such as `[U+200B]` for each invisible character, so that texts that
 * differ look different. A blank is marked where it is at an end of the text. Parts of an emoji, and
 * joiners of a script that needs them, stay.
 */
export const partsOf = (text: string): TextPart[] => {
  const [isJoined, start, end] = [
    needsJoiners.test(text),
    text.length - text.trimStart().length,
    text.trimEnd().length,
  ];
  const isHidden = (character: string, at: number, of: string): boolean => {
    if (drawn.test(character)) return false;
    if (blank.test(character)) return at < start || at >= end || invisible.test(character);
    if (!invisible.test(character)) return false;
    if (joiners.test(character) && isJoined) return false;
    return character === of || !/\p{Extended_Pictographic}|\p{Emoji}\uFE0F/u.test(of);
  };
  const parts: TextPart[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    let at = index;
    for (const character of segment) {
      const isMark = isHidden(character, at, segment);
      const shown = isMark ? nameOf(character) : character;
      const last = parts.at(-1);
      if (last && last.isMark === isMark)
        parts[parts.length - 1] = { text: last.text + shown, isMark };
      else parts.push({ text: shown, isMark });
      at += character.length;
    }
  }
  return parts;
};

/** Returns the text with its marks, for a place that holds no element, such as a title. */
export const visibleText = (text: string): string =>
  partsOf(text)
    .map((part) => part.text)
    .join('');
