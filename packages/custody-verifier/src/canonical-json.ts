/**
 * The RFC 8785 text of a JSON value: members sorted by UTF-16 code units, no spacing, numbers and
 * strings as ECMAScript writes them, which is what the RFC prescribes.
 * @throws TypeError for what JSON cannot carry: NaN, infinities, undefined, lone surrogates.
 */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`no JSON number: ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('a lone surrogate is no text');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([k, v]) => `${canonicalJson(k)}:${canonicalJson(v)}`).join(',')}}`;
  }
  throw new TypeError(`no JSON value: ${typeof value}`);
};
