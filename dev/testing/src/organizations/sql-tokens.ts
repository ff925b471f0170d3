/** A word, number, text or operator of a statement, in lower case unless it is quoted. */
export type Token = string;

/** A parenthesized part of a statement, or the statement itself. */
export interface Group {
  readonly parts: readonly (Token | Group)[];
}

const token =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"|'(?:[^']|'')*'|\$\d+|[a-z_][\w$]*|\d[\w.]*|::|[<>=!@~&|?#*/+^%-]+|[()[\],.;:]/giy;

/**
 * Splits a statement into tokens, grouped by its parentheses. Comments are left out.
 * @throws Error for a text that is not a complete statement.
 */
export const readSql = (text: string): Group => {
  const stack: (Token | Group)[][] = [[]];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new Error(`not a token of SQL at ${at}: ${text.slice(at, at + 20)}`);
    const [word, quoted] = match;
    if (/^(\s|--|\/\*)/.test(word)) continue;
    if (word === '(') stack.push([]);
    else if (word === ')') {
      const parts = stack.pop()!;
      if (stack.length === 0) throw new Error('a parenthesis is closed that was not opened');
      stack.at(-1)!.push({ parts });
    } else stack.at(-1)!.push(quoted ?? word.toLowerCase());
  }
  if (stack.length > 1) throw new Error('a parenthesis is not closed');
  return { parts: stack[0]! };
};
