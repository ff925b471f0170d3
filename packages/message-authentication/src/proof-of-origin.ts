import { hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { MessageKeys } from './message-keys.ts';
import { splitCodes, trailerOf } from './trailer.ts';

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

const blockBytes = 64;
const digestBytes = 32;

/** Buffer that every call reuses for its input; a longer input gets a buffer of its own. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** Returns the HMAC of a text in UTF-8 followed by bytes: 32 Latin-1 characters, one per byte. */
type Hmac = (text: string, bytes: Uint8Array) => string;

/**
 * Returns a function that computes HMAC-SHA-256 (RFC 2104) with one key, by two calls of Node's
 * `hash`. `createHmac` allocates an object for each MAC, which takes three times the CPU time for a
 * message of a few hundred bytes.
 * @param secret at most 64 bytes. @throws RangeError for a longer key.
 */
export const hmacWith = (secret: KeyObject): Hmac => {
  const key = secret.export();
  if (key.length > blockBytes) throw new RangeError('the key is longer than a block of SHA-256');
  const innerBlock = Buffer.alloc(blockBytes, 0x36);
  /** The outer block, and space for the inner hash. */
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c);
  for (const [n, byte] of key.entries()) {
    innerBlock[n]! ^= byte;
    outer[n]! ^= byte;
  }
  return (text, bytes) => {
    const most = blockBytes + 3 * text.length + bytes.length;
    const input = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
    input.set(innerBlock);
    const at = blockBytes + input.write(text, blockBytes);
    input.set(bytes, at);
    outer.write(
      hash('sha256', input.subarray(0, at + bytes.length), 'binary'),
      blockBytes,
      'latin1',
    );
    return hash('sha256', outer, 'binary');
  };
};

const version = 'pto-message-authentication/1';

/**
 * Returns the code of a message: HMAC-SHA-256 over a JSON array of version, sender, recipient,
 * topic, key, event id and type, a line feed, and the bytes of the value. The JSON text contains no
 * line feed, so two different messages never have the same input.
 */
const codeOf = (
  hmac: Hmac,
  { sender, recipient }: Direction,
  { topic, key, id, type, value }: MessageContent,
): string => hmac(`${JSON.stringify([version, sender, recipient, topic, key, id, type])}\n`, value);

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
  recipients: Readonly<Record<string, MessageKeys>>,
): Sign => {
  const keys = Object.entries(recipients).map(([recipient, { first }]) => ({
    recipient,
    keyId: first.id,
    hmac: hmacWith(first.key),
    direction: { sender, recipient },
  }));
  const append = trailerOf(keys);
  return (message) => {
    const codes = keys.map(({ hmac, direction }) => codeOf(hmac, direction, message));
    return { ...message, value: append(message.value, codes) };
  };
};

/**
 * Returns a function that verifies messages from `sender` as `recipient`, with any key of the ring.
 * The function returns why a message is not authentic, in words, or undefined if it is authentic.
 */
export const messageVerifier = (
  direction: Direction & { readonly keys: MessageKeys },
): ((message: MessageContent) => string | undefined) => {
  const { sender, recipient, keys } = direction;
  const hmacs = new Map([...keys.byId].map(([id, { key }]) => [id, hmacWith(key)]));
  return (message) => {
    const split = splitCodes(message.value);
    const found = split?.codes.find((code) => code.recipient === recipient);
    if (!split || !found) return `it carries no proof of origin for ${recipient}`;
    const hmac = hmacs.get(found.keyId);
    if (!hmac) return `its proof names ${named(found.keyId)}, which ${keys.setting} does not hold`;
    const { topic, id, type } = message;
    const content = { topic, key: message.key, id, type, value: split.value };
    const expected = Buffer.from(codeOf(hmac, direction, content), 'latin1');
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
