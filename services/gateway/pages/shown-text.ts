/**
 * Any JSON value as text to show: bounded, without control and formatting characters, which could
 * reverse or hide what stands beside them. Absent and null are an empty text.
 */
export const shownText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : jsonOf(value);
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
};

/** An operator's note has at most as many. */
const charactersMax = 2000;

/** Deep nesting overflows the stack of JSON.stringify: such a value is not shown. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(cannot be shown)';
  }
};
