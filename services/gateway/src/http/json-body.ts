import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '@pto/custody-verifier';
import { Failure } from '@pto/errors';

/**
 * Maximum nesting of a body. Deeper bodies are rejected, because recursive functions read the
 * parsed body and could exceed the call stack.
 */
const depthMax = 32;
/**
 * Maximum number of values of a body, members that are ignored included (decision 76): an empty array
 * has 3 bytes in JSON and 16 or more in memory. The largest creation, with 13,800 items, has 27,600.
 */
const valuesMax = 50_000;

/**
 * Parses a body as JSON in strict UTF-8, with or without a byte order mark. Of a member that is
 * given twice, the last one counts.
 * @throws Failure VALIDATION with the one fault `json_invalid` (decision 15)
 */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  requireBounds(bytes, scan(bytes));
  return parseJson(new TextDecoder().decode(bytes));
};

/**
 * Requires a body of UTF-8 within the bounds of nesting and values.
 * @throws Failure VALIDATION
 */
export const requireBounds = (bytes: Uint8Array, { tooDeepAt, tooManyAt }: Scanned): void => {
  if (!isUtf8(bytes)) throw jsonInvalid(0, 'not UTF-8');
  if (tooDeepAt !== undefined) throw jsonInvalid(tooDeepAt, `nested deeper than ${depthMax}`);
  if (tooManyAt !== undefined) throw jsonInvalid(tooManyAt, `more than ${valuesMax} values`);
};

/**
 * Parses JSON.
 * @param offset position of the text in its body.
 * @throws Failure VALIDATION
 */
export const parseJson = (text: string, offset = 0): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw jsonInvalid(offset + placeOf(message, text), message);
  }
};

/**
 * Returns where a text stops being JSON. V8 states the position of most faults. Of the others it
 * names the character, and quotes the complete text or 10 characters before and after.
 */
const placeOf = (message: string, text: string): number => {
  const [, position] = / JSON at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const [, token = '', cut, quoted] = unexpected.exec(message) ?? [];
  if (quoted === undefined) return text.length; // the text has ended too early
  return Math.max(0, text.indexOf(quoted) + (cut ? 10 : quoted.indexOf(token)));
};

const unexpected = /^Unexpected token '(.)', (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/su;

const jsonInvalid = (position: number, error: string): Failure =>
  new Failure('VALIDATION', 'The body is not JSON.', {
    details: {
      detail: [
        {
          type: 'json_invalid',
          loc: ['body', position],
          msg: 'JSON decode error',
          input: {},
          ctx: { error },
        },
      ],
    },
  });

export interface Scanned {
  /** The first byte where more than `depthMax` arrays and objects are open. */
  readonly tooDeepAt: number | undefined;
  /** The first byte where more than `valuesMax` values have begun. */
  readonly tooManyAt: number | undefined;
  /** Where the texts of the large member are, quotes included. */
  readonly larges: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Reads a body's strings and brackets before JSON.parse makes values of it. JSON's own signs are never
 * part of another character in UTF-8.
 * @param large name of a member of the body.
 */
export const scan = (bytes: Uint8Array, large?: string): Scanned => {
  const name = large === undefined ? undefined : Buffer.from(`"${large}"`);
  const larges: { from: number; to: number }[] = [];
  let [open, values] = [0, 0];
  let tooDeepAt: number | undefined;
  let tooManyAt: number | undefined;
  /** Whether the last text is the name of the large member, and a `:` has followed it. */
  let [isName, isLarge] = [false, false];
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (code === quote) {
      const from = at++;
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
      const to = Math.min(at + 1, bytes.length);
      if (isLarge) larges.push({ from, to });
      isName = open === 1 && name?.equals(bytes.subarray(from, to)) === true;
      isLarge = false;
    } else if (code === colon) isLarge = isName;
    else if (code === comma || code === openingBracket || code === openingBrace) {
      isLarge = false;
      if (code !== comma) open++;
      if (++values > valuesMax) tooManyAt ??= at;
      if (open > depthMax) tooDeepAt ??= at;
    } else if (code === closingBracket || code === closingBrace) open--;
  }
  return { tooDeepAt, tooManyAt, larges };
};

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the hash by which two bodies are the same (decision 23): SHA-256 of the RFC 8785 form of
 * the parsed JSON. A body with a lone surrogate or 1e999 in an ignored member has no such form; the
 * SHA-256 of a fixed line and the body's bytes is returned instead.
 */
export const bodyHash = (body: unknown, bytes: Uint8Array): Uint8Array => {
  let text: string;
  try {
    text = canonicalJson(body);
  } catch {
    return hashWithoutForm(bytes);
  }
  return Buffer.from(hash('sha256', text, 'base64'), 'base64'); // a third of the time of a Hash
};

export const hashWithoutForm = (bytes: Uint8Array): Uint8Array =>
  createHash('sha256').update('no RFC 8785 form\n').update(bytes).digest();
