import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';
import { defaultMaxBytes } from '../admission/admission.ts';
import { hashWithoutForm, parseJson, requireBounds, scan } from './json-body.ts';
import { tooLarge } from './read-body.ts';

/** A body of more than 256 KiB, for the thread that parses it. */
export interface LargeBody {
  readonly bytes: Uint8Array;
  /** Name of the member whose text may be large. */
  readonly large: string;
  /** Whether the request has an idempotency key, which needs the hash. */
  readonly isHashed: boolean;
}

export interface ParsedBody {
  /** The JSON. A large member that is a valid text is its bytes in UTF-8, in the buffer of the body. */
  readonly json: unknown;
  readonly sha256?: Uint8Array;
}

/** Bytes of the large text that are values of JavaScript at the same time. */
const pieceBytes = 64 * 1024;

/**
 * Parses and hashes a large body in the memory that it has (decision 76): its large text, which may
 * have 8 MiB, is never one string. The result is that of `parseJsonBody` and `bodyHash`.
 * @throws Failure as `parseJsonBody`; PAYLOAD_TOO_LARGE if the rest has more than 256 KiB
 */
export const parseLargeBody = async ({
  bytes,
  large,
  isHashed,
}: LargeBody): Promise<ParsedBody> => {
  const scanned = scan(bytes, large);
  const { larges } = scanned;
  const largeBytes = larges.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes.length - largeBytes > defaultMaxBytes)
    throw tooLarge(defaultMaxBytes, ` besides \`${large}\``);
  requireBounds(bytes, scanned);
  const marks: string[] = larges.map(() => randomUUID());
  const json = parseJson(restOf(bytes, larges, marks)) as Record<string, unknown> | null;
  const at = marks.indexOf(json?.[large] as string);
  if (json === null || at < 0) return { json }; // its schema rejects a body without the text
  const hash = isHashed ? hashAround(json, marks[at]!, bytes) : undefined;
  const text = unescaped(bytes, larges[at]!, (piece) => hash?.update(piece));
  json[large] = text;
  return { json, ...(hash && { sha256: hash.digest() }) };
};

/** Begins the hash of a body (decision 23), for the text that stands at the mark in pieces. */
const hashAround = (json: unknown, mark: string, bytes: Uint8Array) => {
  let canonical: string;
  try {
    canonical = canonicalJson(json);
  } catch {
    return {
      update: () => {},
      digest: (
        (sha256) => () =>
          sha256
      )(hashWithoutForm(bytes)),
    };
  }
  const [before = '', after = ''] = canonical.split(mark);
  const hash = createHash('sha256').update(before);
  return {
    update: (piece: string) => void hash.update(piece),
    digest: () => hash.update(after).digest(),
  };
};

/** Returns the JSON with a mark in place of each large text. */
const restOf = (
  bytes: Uint8Array,
  larges: readonly { readonly from: number; readonly to: number }[],
  marks: readonly string[],
): string => {
  const ends = [...larges.map(({ from }) => from), bytes.length];
  const parts = ends.map((end, n) => {
    const start = larges[n - 1]?.to ?? 0;
    // a byte order mark is only at the start
    return new TextDecoder('utf-8', { ignoreBOM: start > 0 }).decode(bytes.subarray(start, end));
  });
  return parts.reduce((text, part, n) => `${text}"${marks[n - 1]}"${part}`);
};

/**
 * Replaces the text of a literal by its bytes in UTF-8, which are never more than its bytes in JSON.
 * @param each gets the text piece by piece as RFC 8785 writes it.
 * @returns the bytes; a text that cannot be stored as the character for which it cannot (decision 2).
 * @throws Failure VALIDATION for an invalid escape or a control character
 */
const unescaped = (
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  each: (piece: string) => void,
): Uint8Array | string => {
  let end = from + 1;
  let rest = '';
  for (const [start, stop] of pieces(bytes, from + 1, to - 1)) {
    const literal = `"${new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, stop))}"`;
    let piece = rest + (parseJson(literal, start - 1) as string);
    // the second half of a character in two escapes may be in the next piece
    rest = stop < to - 1 && isHighSurrogate(piece.at(-1)!) ? piece.at(-1)! : '';
    piece = rest ? piece.slice(0, -1) : piece;
    if (!piece.isWellFormed()) return '\ud800';
    if (piece.includes('\0')) return '\0';
    each(JSON.stringify(piece).slice(1, -1));
    end += new TextEncoder().encodeInto(piece, bytes.subarray(end)).written;
  }
  return end > from + 1 ? bytes.subarray(from + 1, end) : '';
};

const isHighSurrogate = (unit: string): boolean => unit >= '\ud800' && unit <= '\udbff';

const [backslash, letterU] = [0x5c, 0x75];

/** Cuts the inside of a literal between its characters and its escapes. */
function* pieces(bytes: Uint8Array, from: number, to: number): Generator<[number, number]> {
  let start = from;
  for (let at = from; at < to; ) {
    at += bytes[at] !== backslash ? 1 : bytes[at + 1] === letterU ? 6 : 2;
    const isBetween = (bytes[at]! & 0xc0) !== 0x80;
    if (at < to && (at - start < pieceBytes || !isBetween)) continue;
    yield [start, Math.min(at, to)];
    start = at;
  }
}
