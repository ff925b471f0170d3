import { StringDecoder } from 'node:string_decoder';

/** Maximum number of bytes of a response's body that are stored, as UTF-8 (decision 80). */
const storedMaxBytes = 1024;

/** All but tab and line feed: the database rejects NUL, and a terminal obeys others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/**
 * Returns the beginning of a response's body as text, cut at a complete character; null if it is
 * empty. Invalid UTF-8 and control characters become U+FFFD. Pure.
 */
export const responseText = (body: Buffer): string | null => {
  if (body.length === 0) return null;
  const text = beginning(body).replaceAll('\r\n', '\n').replace(control, '\ufffd');
  // a replacement is longer than what it replaces
  return beginning(Buffer.from(text));
};

const beginning = (bytes: Buffer): string => {
  const decoder = new StringDecoder('utf8');
  const text = decoder.write(bytes.subarray(0, storedMaxBytes));
  return bytes.length > storedMaxBytes ? text : text + decoder.end();
};
