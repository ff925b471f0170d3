import { inflateSync } from 'node:zlib';
import { reject } from '../reject.ts';
import { nesting, type Stream } from './body.ts';
import { Lexer } from './lexer.ts';
import { permittedName } from './names.ts';

/** Maximum size of all decompressed object streams of a PDF: 32 MiB. */
const inflatedMax = 32 * 1024 * 1024;

/** A decompressed object stream. */
export interface ObjectStream {
  readonly bytes: Buffer;
  /** Offset of the objects; their numbers and offsets precede them. */
  readonly first: number;
}

/**
 * Returns the decompressed object streams. Objects in them are invisible in the file's bytes.
 * @throws Failure if a filter other than FlateDecode is used, the compressed bytes are broken, or
 *   the result exceeds 32 MiB.
 */
export const inflateObjectStreams = (bytes: Buffer, streams: readonly Stream[]): ObjectStream[] => {
  let left = inflatedMax;
  return streams.flatMap(({ dictionary, content }) => {
    const encoding = encodingOf(bytes, dictionary);
    if (!encoding) return [];
    const objects = encoding.compressed ? inflate(content, left) : content;
    left -= objects.length;
    return { bytes: objects, first: encoding.first };
  });
};

const inflate = (content: Buffer, left: number): Buffer => {
  try {
    return inflateSync(content, { maxOutputLength: Math.max(left, 1) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? reject(`the PDF's object streams exceed ${inflatedMax} bytes when decompressed`)
      : reject('the PDF has an object stream that cannot be decompressed: export it again');
  }
};

/**
 * Returns how an object stream is encoded, and undefined for another stream. Every stream with
 * /First counts as object stream, because a viewer may not read /Type.
 */
const encodingOf = (
  bytes: Buffer,
  [from, to]: Stream['dictionary'],
): { compressed: boolean; first: number } | undefined => {
  const lexer = new Lexer(bytes, from, to);
  const names: string[] = [];
  let filter: readonly string[] = [];
  let first = '';
  let depth = 0;
  for (let kind = lexer.next(); kind !== 'end'; kind = lexer.next()) {
    depth += nesting(kind);
    if (kind !== 'name' || depth !== 1) continue;
    const name = permittedName(lexer.text());
    names.push(name);
    if (name === 'Filter') filter = textsOf(new Lexer(bytes, lexer.at, to));
    if (name === 'First') [first = ''] = textsOf(new Lexer(bytes, lexer.at, to));
  }
  if (!names.includes('First') && !names.includes('ObjStm')) return undefined;
  const filters = names.filter((name) => name === 'Filter').length;
  const plain = filters === 0;
  const flate = filters === 1 && filter.length === 1 && filter[0] === '/FlateDecode';
  if (!(plain || flate) || names.some((name) => otherEncoding.has(name)))
    reject('the PDF has an object stream with a filter other than FlateDecode: print it again');
  if (!/^\d{1,10}$/.test(first))
    reject('the PDF has an object stream without the offset of its objects: print it again');
  return { compressed: flate, first: Number(first) };
};

/** Entries that change how a stream is decoded, or load it from another file. */
const otherEncoding: ReadonlySet<string> = new Set(['DecodeParms', 'DP', 'F', 'FFilter']);

/** Returns the tokens of a value that is a name or an array. */
const textsOf = (lexer: Lexer): string[] => {
  if (lexer.next() !== '[') return [lexer.text()];
  const texts: string[] = [];
  for (let kind = lexer.next(); kind !== ']' && kind !== 'end'; kind = lexer.next())
    texts.push(lexer.text());
  return texts;
};
