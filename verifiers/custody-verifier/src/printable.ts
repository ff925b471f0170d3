/**
 * Control characters (C0, DEL, C1), line and paragraph separators, controls of the text direction,
 * and lone surrogates: all characters that can move a terminal's cursor, begin a new line or change
 * the order in which a line is displayed. Joiners stay: emoji and some scripts need them.
 */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/**
 * Returns the text on one line, each unprintable character as its escape in JSON (`\u001b`).
 * Within a JSON document the escapes leave the parsed value unchanged.
 */
export const printable = (text: string): string =>
  text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
