/**
 * Returns any JSON value as text to show, of limited length. Control and formatting characters are
 * removed, because they could reverse or hide the text beside them. An absent value or null gives
 * an empty text.
 */
export const shownText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : jsonOf(value);
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
};

/** An operator's note has at most this many characters. */
const charactersMax = 2000;

/**
 * Returns a value as JSON text. Deep nesting overflows the stack of JSON.stringify; such a value is
 * not shown.
 */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(cannot be shown)';
  }
};
