import { Failure } from '@pto/errors';
import { jsonFault } from './json-fault.ts';

/** Deeper bodies are rejected: some of JavaScript's own functions recurse (traps: HTTP in). */
const depthMax = 32;

/**
 * The JSON value that the bytes spell. Strict UTF-8, with or without a byte order mark; of a member
 * given twice the last counts.
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

/** Where the text first opens more than `depth` arrays and objects inside one another. */
const placeBelow = (text: string, depth: number): number | undefined => {
  let open = 0;
  const marks = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[{]|[\]}]/gs;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (mark === '[' || mark === '{') open++;
    else if (mark === ']' || mark === '}') open--;
    if (open > depth) return index;
  }
  return undefined;
};
