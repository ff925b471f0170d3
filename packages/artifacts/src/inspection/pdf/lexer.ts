import { reject } from '../reject.ts';

/** `word` is a keyword, a number or anything else of regular characters. */
export type TokenKind = 'name' | 'word' | 'string' | '<<' | '>>' | '[' | ']' | 'end';

const whitespace = 1;
const delimiter = 2;
/** The class of each byte (ISO 32000-1, 7.2.2); 0 is a regular character. */
const classes = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') classes[char.charCodeAt(0)] = whitespace;
for (const char of '()<>[]{}/%') classes[char.charCodeAt(0)] = delimiter;

const code = (char: string): number => char.charCodeAt(0);
const [lineFeed, carriageReturn, backslash] = [code('\n'), code('\r'), code('\\')];
const [opening, closing, less, greater] = [code('('), code(')'), code('<'), code('>')];
const [openBracket, closeBracket, slash, percent] = [code('['), code(']'), code('/'), code('%')];

/** Reads the tokens of PDF objects (ISO 32000-1, 7.2), one at a time and without a tree. */
export class Lexer {
  /** Offset after the current token. */
  at: number;
  /** Offset of the current token. */
  start: number;
  readonly #bytes: Buffer;
  readonly #end: number;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.start = at;
    this.#end = end;
  }

  /** Returns the text of the current token. */
  text(): string {
    return this.#bytes.toString('latin1', this.start, this.at);
  }

  /** Reads the next token. @throws Failure if the bytes end inside of a string. */
  next(): TokenKind {
    this.#skipSpace();
    this.start = this.at;
    if (this.at >= this.#end) return 'end';
    const byte = this.#bytes[this.at++]!;
    if (classes[byte] !== delimiter) return this.#regular('word');
    switch (byte) {
      case slash:
        return this.#regular('name');
      case opening:
        return this.#string();
      case openBracket:
        return '[';
      case closeBracket:
        return ']';
      case less:
        return this.#follows(less) ? '<<' : this.#hexString();
      case greater:
        return this.#follows(greater) ? '>>' : 'word';
      default:
        return 'word';
    }
  }

  #skipSpace(): void {
    for (; this.at < this.#end; this.at++) {
      const byte = this.#bytes[this.at]!;
      if (byte === percent) this.#skipComment();
      else if (classes[byte] !== whitespace) return;
    }
  }

  /**
   * Skips a comment to the end of its line. Only the five bytes of `%%EOF` are skipped, because
   * editors append an update directly behind them.
   */
  #skipComment(): void {
    if (this.#bytes.toString('latin1', this.at, this.at + 5) === '%%EOF') {
      this.at += 4;
      return;
    }
    for (; this.at < this.#end; this.at++) {
      const byte = this.#bytes[this.at];
      if (byte === lineFeed || byte === carriageReturn) return;
    }
  }

  #regular(kind: TokenKind): TokenKind {
    while (this.at < this.#end && classes[this.#bytes[this.at]!] === 0) this.at++;
    return kind;
  }

  #follows(byte: number): boolean {
    if (this.#bytes[this.at] !== byte || this.at >= this.#end) return false;
    this.at++;
    return true;
  }

  #string(): TokenKind {
    for (let depth = 1; this.at < this.#end; this.at++) {
      const byte = this.#bytes[this.at];
      if (byte === backslash) this.at++;
      else if (byte === opening) depth++;
      else if (byte === closing && --depth === 0) {
        this.at++;
        return 'string';
      }
    }
    return reject('the PDF ends inside of a string: export the document again');
  }

  #hexString(): TokenKind {
    const end = this.#bytes.indexOf(greater, this.at);
    if (end < 0 || end >= this.#end) reject('the PDF ends inside of a string: export it again');
    this.at = end + 1;
    return 'string';
  }
}
