import { timingSafeEqual } from 'node:crypto';
import { codeOf, type Direction, type MessageContent } from './code.ts';
import type { MessageKeys } from './message-keys.ts';
import { splitCodes } from './trailer.ts';

/**
 * Returns a function that verifies messages from `sender` as `recipient`, with any key of the ring.
 * The function returns why a message is not authentic, in words, or undefined if it is authentic.
 */
export const messageVerifier = (
  direction: Direction & { readonly keys: MessageKeys },
): ((message: MessageContent) => string | undefined) => {
  const { sender, recipient, keys } = direction;
  return (message) => {
    const split = splitCodes(message.value);
    const found = split?.codes.find((code) => code.recipient === recipient);
    if (!split || !found) return `it carries no proof of origin for ${recipient}`;
    const key = keys.byId.get(found.keyId);
    if (!key) return `its proof names ${named(found.keyId)}, which ${keys.setting} does not hold`;
    const { topic, id, type } = message;
    const content = { topic, key: message.key, id, type, value: split.value };
    const expected = Buffer.from(codeOf(key.hmac, direction, content), 'latin1');
    if (found.code.length === expected.length && timingSafeEqual(found.code, expected))
      return undefined;
    return (
      `its proof does not match: topic, key, id, type or content are not what ${sender} signed, ` +
      `or ${named(key.id)} of ${keys.setting} is another one at ${sender}`
    );
  };
};

/**
 * Returns words for a key. A forger can choose the id, so an id that is not 1 to 32 word characters
 * or hyphens is left out.
 */
const named = (id: string): string => (/^[\w-]{1,32}$/.test(id) ? `the key ${id}` : 'a key');
