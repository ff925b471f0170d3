/**
 * Breaks a text into lines of limited width: between words, and within a word that is wider than a
 * line. Pure.
 * @param widthOf returns the width of a text.
 */
export const wrapText = (
  text: string,
  width: number,
  widthOf: (text: string) => number,
): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, width, widthOf))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
};

/** Returns the word, or its pieces that each fit on a line. */
const pieces = (
  word: string,
  width: number,
  widthOf: (text: string) => number,
): readonly string[] => {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const character of word) {
    const advance = widthOf(character);
    if (part !== '' && used + advance > width) {
      parts.push(part);
      [part, used] = ['', 0];
    }
    part += character;
    used += advance;
  }
  return [...parts, part];
};
