/**
 * Returns the RFC 8785 text of a JSON value: members sorted by UTF-16 code units, no spacing,
 * numbers and strings as ECMAScript writes them, as the RFC prescribes.
 * @throws TypeError for a value that JSON cannot represent: NaN, infinities, undefined, lone
 *   surrogates.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`no JSON number: ${value}`);
    return String(value);
  }
  if (typeof value === 'string') return canonicalText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return canonicalObject(value as Record<string, unknown>);
  throw new TypeError(`no JSON value: ${typeof value}`);
};

const canonicalObject = (value: Record<string, unknown>): string => {
  let text = '';
  for (const name of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${canonicalText(name)}:${canonicalJson(value[name])}`;
  return `{${text}}`;
};

const canonicalText = (text: string): string => {
  if (isPlain(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a lone surrogate is no text');
  return JSON.stringify(text);
};

/**
 * Whether the text needs no escaping: printable ASCII without quote and backslash. Most texts are;
 * this check is several times faster than `JSON.stringify`.
 */
const isPlain = (text: string): boolean => {
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
};
