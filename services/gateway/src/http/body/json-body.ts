import { Failure } from '@pto/errors';
import { jsonFault } from './json-fault.ts';

/**
 * Maximum nesting of a body. Deeper bodies are rejected, because recursive functions read the
 * parsed body and could exceed the call stack.
 */
const depthMax = 32;

/**
 * Parses a body as JSON in strict UTF-8, with or without a byte order mark. Of a member that is
 * given twice, the last one counts.
 * @throws Failure VALIDATION with the one fault `json_invalid` (decision 15)
 */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw jsonInvalid(0, 'not UTF-8');
  }
  const tooDeepAt = placeBelow(text, depthMax);
  if (tooDeepAt !== undefined) throw jsonInvalid(tooDeepAt, `nested deeper than ${depthMax}`);
  try {
    return JSON.parse(text);
  } catch {
    const { position, reason } = jsonFault(text);
    throw jsonInvalid(position, reason);
  }
};

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

/**
 * Returns the first index where more than `depth` arrays and objects are open; undefined if there
 * is none.
 */
const placeBelow = (text: string, depth: number): number | undefined => {
  let open = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString) at += code === backslash ? 1 : 0;
    else if (code === openingBracket || code === openingBrace) open++;
    else if (code === closingBracket || code === closingBrace) open--;
    if (open > depth) return at;
  }
  return undefined;
};

const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
