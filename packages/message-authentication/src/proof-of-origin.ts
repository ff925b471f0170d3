import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '@pto/config';
import { splitCodes, withCodes } from './trailer.ts';

/** The message that an authentication code covers. `value` does not include the codes. */
export interface MessageContent {
  readonly topic: string;
  readonly key: string;
  /** Id of the event. */
  readonly id: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** The services that sign and verify. A code of one direction is not valid in the other. */
interface Direction {
  readonly sender: string;
  readonly recipient: string;
}

const version = 'pto-message-authentication/1';

/**
 * Returns the code of a message: HMAC-SHA-256 over a JSON array of version, sender, recipient,
 * topic, key, event id and type, a line feed, and the bytes of the value. The JSON text contains no
 * line feed, so two different messages never have the same input.
 */
const codeOf = (
  secret: KeyObject,
  { sender, recipient }: Direction,
  { topic, key, id, type, value }: MessageContent,
): Buffer =>
  createHmac('sha256', secret)
    .update(`${JSON.stringify([version, sender, recipient, topic, key, id, type])}\n`)
    .update(value)
    .digest();

/**
 * Returns the message with the proof of origin appended to `value`; other members stay the same.
 */
export type Sign = <M extends MessageContent>(message: M) => M;

/**
 * Returns a function that signs a message for each recipient. It uses the first key of the
 * recipient's ring.
 * @param recipients maps each service that reads the topic to the key ring shared with that service.
 */
export const messageSigner = (
  sender: string,
  recipients: Readonly<Record<string, KeyRing>>,
): Sign => {
  const recipientKeys = Object.entries(recipients).map(
    ([recipient, ring]) => [recipient, ring.keys[0]] as const,
  );
  return (message) => {
    const codes = recipientKeys.map(([recipient, { id, key }]) => {
      const code = codeOf(key, { sender, recipient }, message);
      return { recipient, keyId: id, code: new Uint8Array(code) };
    });
    return { ...message, value: withCodes(message.value, codes) };
  };
};

/**
 * Returns a function that verifies messages from `sender` as `recipient`, with any key of the ring.
 * The function returns why a message is not authentic, in words, or undefined if it is authentic.
 */
export const messageVerifier = (
  direction: Direction & { readonly keys: KeyRing },
): ((message: MessageContent) => string | undefined) => {
  const { sender, recipient, keys } = direction;
  return (message) => {
    const split = splitCodes(message.value);
    const found = split?.codes.find((code) => code.recipient === recipient);
    if (!split || !found) return `it carries no proof of origin for ${recipient}`;
    const used = keys.keys.find(({ id }) => id === found.keyId);
    if (!used) return `its proof names ${named(found.keyId)}, which ${keys.setting} does not hold`;
    const { topic, id, type } = message;
    const content = { topic, key: message.key, id, type, value: split.value };
    const expected = codeOf(used.key, direction, content);
    if (found.code.length === expected.length && timingSafeEqual(found.code, expected))
      return undefined;
    return (
      `its proof does not match: topic, key, id, type or content are not what ${sender} signed, ` +
      `or ${named(found.keyId)} of ${keys.setting} is another one at ${sender}`
    );
  };
};

/**
 * Returns words for a key. A forger can choose the id, so an id that is not 1 to 32 word characters
 * or hyphens is left out.
 */
const named = (id: string): string => (/^[\w-]{1,32}$/.test(id) ? `the key ${id}` : 'a key');
