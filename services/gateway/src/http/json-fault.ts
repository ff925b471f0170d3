/**
 * Finds where a text stops being valid JSON, and why, in the words of Python's decoder, as FastAPI
 * does. Call it only for a text that is not valid JSON.
 * @returns the position in code points, as Python counts.
 */
export const jsonFault = (text: string): { position: number; reason: string } => {
  const { at, reason } = find(text);
  return { position: [...text.slice(0, at)].length, reason };
};

interface Finding {
  readonly at: number;
  readonly reason: string;
}

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;

const find = (text: string): Finding => {
  /** The arrays and objects that are open at this position, innermost last. */
  const open: ('{' | '[')[] = [];
  let at = past(space, text, 0);
  let next: 'value' | 'first value' | 'key' | 'first key' | 'end' = 'value';
  for (;;) {
    const char = text[at];
    if (next === 'end') {
      const around = open.at(-1);
      if (around === undefined) return { at, reason: 'Extra data' };
      if (char === ',') next = around === '{' ? 'key' : 'value';
      else if (char === (around === '{' ? '}' : ']')) open.pop();
      else return { at, reason: "Expecting ',' delimiter" };
      at = past(space, text, at + 1);
    } else if (next === 'first key' && char === '}') next = 'end';
    else if (next === 'first value' && char === ']') next = 'end';
    else if (next === 'key' || next === 'first key') {
      if (char !== '"') return { at, reason: 'Expecting property name enclosed in double quotes' };
      const key = stringEnd(text, at);
      if (typeof key !== 'number') return key;
      at = past(space, text, key);
      if (text[at] !== ':') return { at, reason: "Expecting ':' delimiter" };
      at = past(space, text, at + 1);
      next = 'value';
    } else if (char === '{' || char === '[') {
      open.push(char);
      next = char === '{' ? 'first key' : 'first value';
      at = past(space, text, at + 1);
    } else {
      const end: number | Finding = char === '"' ? stringEnd(text, at) : past(scalar, text, at);
      if (typeof end !== 'number') return end;
      if (end === at) return { at, reason: 'Expecting value' };
      at = past(space, text, end);
      next = 'end';
    }
  }
};

/**
 * Returns the end of the pattern's match at this position, or the position if there is no match.
 */
const past = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a string
const plain = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const stringEnd = (text: string, begin: number): number | Finding => {
  let at = begin + 1;
  for (;;) {
    at = past(plain, text, at);
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === undefined || (char === '\\' && at + 1 === text.length))
      return { at: begin, reason: 'Unterminated string starting at' };
    if (char !== '\\') return { at, reason: 'Invalid control character at' };
    const end = past(escaped, text, at);
    if (end === at)
      return text[at + 1] === 'u'
        ? { at: at + 1, reason: 'Invalid \\uXXXX escape' }
        : { at, reason: 'Invalid \\escape' };
    at = end;
  }
};
