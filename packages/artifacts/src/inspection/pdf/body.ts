import { reject } from '../reject.ts';
import { Lexer, type TokenKind } from './lexer.ts';
import { permittedName } from './names.ts';

/** A place in the file or in a decompressed object stream. */
export interface Place {
  readonly bytes: Buffer;
  readonly at: number;
}

export interface Stream {
  /** Offsets of the dictionary. */
  readonly dictionary: readonly [from: number, to: number];
  /** The encoded content. */
  readonly content: Buffer;
}

export interface Body {
  /** The number and the content's offset of each indirect object. */
  readonly objects: readonly { readonly number: number; readonly at: number }[];
  readonly streams: readonly Stream[];
  /** The values of /OpenAction. */
  readonly openActions: readonly Place[];
  /** Offsets of the keywords `obj` and `trailer`. */
  readonly keywords: ReadonlySet<number>;
}

/**
 * Reads the tokens of a PDF from begin to end, without the content of streams.
 * @throws Failure for a forbidden name, or a stream that is not the content of an object.
 */
export const readBody = (bytes: Buffer): Body => {
  const objects: { number: number; at: number }[] = [];
  const streams: Stream[] = [];
  const openActions: Place[] = [];
  const keywords = new Set<number>();
  const lexer = new Lexer(bytes);
  let depth = 0;
  let objectAt = 0;
  let previous: TokenKind = 'end';
  /** The last two words: the number and the generation before `obj`. */
  let words: readonly [string, string] = ['', ''];
  for (let kind = lexer.next(); kind !== 'end'; previous = kind, kind = lexer.next()) {
    depth += nesting(kind);
    if (kind === 'name' && permittedName(lexer.text()) === 'OpenAction')
      openActions.push({ bytes, at: lexer.at });
    if (depth < 0) reject(`the PDF has an unbalanced bracket at byte ${lexer.start}`);
    if (kind !== 'word') continue;
    const word = lexer.text();
    if (word === 'obj') objects.push({ number: Number(words[0]), at: lexer.at });
    if (word === 'obj' || word === 'trailer') {
      keywords.add(lexer.start);
      depth = 0;
      objectAt = lexer.at;
    }
    words = [words[1], word];
    if (word !== 'stream') continue;
    if (previous !== '>>' || depth !== 0)
      reject(`the PDF has a stream without a dictionary at byte ${lexer.start}`);
    const end = bytes.indexOf('endstream', lexer.at);
    if (end < 0) reject('the PDF ends inside of a stream: send all its bytes');
    const dictionary = [objectAt, lexer.start] as const;
    streams.push({ dictionary, content: bytes.subarray(afterLineEnd(bytes, lexer.at), end) });
    lexer.at = end;
    objectAt = end;
  }
  return { objects, streams, openActions, keywords };
};

/**
 * Checks the names of objects that a stream contained. Returns the values of /OpenAction.
 * @throws Failure for a forbidden name.
 */
export const openActionsIn = (bytes: Buffer): Place[] => {
  const found: Place[] = [];
  const lexer = new Lexer(bytes);
  for (let kind = lexer.next(); kind !== 'end'; kind = lexer.next())
    if (kind === 'name' && permittedName(lexer.text()) === 'OpenAction')
      found.push({ bytes, at: lexer.at });
  return found;
};

/** Returns by how much a token changes the depth of dictionaries and arrays. */
export const nesting = (kind: TokenKind): number =>
  kind === '<<' || kind === '[' ? 1 : kind === '>>' || kind === ']' ? -1 : 0;

const afterLineEnd = (bytes: Buffer, at: number): number =>
  bytes[at] === 13 && bytes[at + 1] === 10 ? at + 2 : bytes[at] === 10 ? at + 1 : at;
